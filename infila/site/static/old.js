// A browser that knows no modules.
document.addEventListener("DOMContentLoaded", function () {
  document.body.innerHTML = document.getElementsByTagName("noscript")[0].textContent;
});
