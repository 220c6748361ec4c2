// Sets the theme before the first paint: the choice kept in this browser, else the system's.
(() => {
  let choice = null;
  try {
    choice = localStorage.getItem('weir.theme');
  } catch {
    // Storage may be blocked; the system's theme is used.
  }
  const dark = choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
