// Runs before the first paint, so that the colours are right at once and a signed-in person never sees the landing page flash by.
(() => {
  const root = document.documentElement;
  let scheme = 'auto';
  try {
    scheme = localStorage.getItem('rubadub-color-scheme') || 'auto';
  } catch {}
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  const elsewhere = location.hash.length > 2;
  const signedIn = /(?:^|;\s*)auth-token=[^;]/.test(document.cookie);
  if (elsewhere || signedIn) root.setAttribute('data-skip-landing', '');
})();
