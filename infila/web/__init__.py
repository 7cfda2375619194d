"""What the page is made of: drawings, styles, scripts and templates."""
