// Addresses: "./?/t/abc&at=3" is what a server has at /t/abc?at=3 (infila/site/browser/addresses.py).

export const here = new URL(".", document.baseURI);

/** The server's address that an address of the site stands for; null for files and for other sites. */
export function meant(address) {
  const url = new URL(address, document.baseURI);
  if (url.origin !== here.origin || url.pathname !== here.pathname) return null;
  if (!url.search) return "/";
  if (!url.search.startsWith("?/")) return null;
  const [path, ...rest] = url.search.slice(1).split(/[?&]/);
  const asked = rest.filter((part) => !part.startsWith("/")).join("&");         // a page appends its own address
  return path + (asked ? `?${asked}` : "");
}
