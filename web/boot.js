// Runs before the first paint, so that the colours are right at once, a signed-in person never sees the landing page
// flash by, and what this address will need is on its way before the app itself has arrived.
// Else the shapes of the calls are compiled with `new Function` where that is allowed, and our policy reports the try.
globalThis.__zod_globalConfig = { jitless: true };

(() => {
  const root = document.documentElement;
  let scheme = 'auto';
  try {
    scheme = localStorage.getItem('rubadub-color-scheme') || 'auto';
  } catch {}
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // Colours that were chosen here count for the bar around an installed app, too.
  const bars = scheme === 'auto' ? [] : document.querySelectorAll('meta[name=theme-color]');
  for (const bar of bars) bar.content = dark ? '#0e1a20' : '#f5f8fa';

  const path = location.hash.slice(1).split('?')[0];
  const token = /(?:^|;\s*)auth-token=([^;]+)/.exec(document.cookie)?.[1];
  if (path.length > 1 || token) root.setAttribute('data-skip-landing', '');

  // Filled in by the build: the files of some routes that the first file does not bring.
  const files = globalThis.ROUTE_FILES ?? {};
  for (const file of files[path] ?? (token ? files.shell : undefined) ?? []) {
    const link = document.createElement('link');
    if (file.endsWith('.css')) {
      link.rel = 'preload';
      link.as = 'style';
    } else link.rel = 'modulepreload';
    link.crossOrigin = ''; // as Vite asks for it, or it would be fetched twice
    link.href = file;
    document.head.append(link);
  }

  // The first questions of a signed-in start; the app takes these answers instead of asking again (web/api.ts).
  if (!token) return;
  const answers = new Map();
  const authorization = `Bearer ${decodeURIComponent(token)}`;
  globalThis.early = { authorization, answers };
  const ask = (address) => {
    const answer = fetch(address, { headers: { accept: 'application/json', authorization } });
    answer.catch(() => {});
    answers.set(address, answer);
  };
  ask('/api/auth/session');
  const role = /^\/(bud|scrub|duber)\/dashboard$/.exec(path)?.[1];
  if (role) ask(`/api/dashboards/${role}`);
  // What nobody has taken by then is no longer news.
  setTimeout(() => answers.clear(), 10_000);
})();
