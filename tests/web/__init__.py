"""The pages, asked over HTTP and clicked in a browser."""
