// Before the first paint, so that a dark room stays dark: the reader's choice, or the system's.
(() => {
  let chosen = null;
  try {
    chosen = localStorage.getItem('data-analytics.scheme');
  } catch {
    // Storage is switched off: the system decides.
  }
  const isDark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', isDark ? 'dark' : 'light');
})();
