// Runs before the first paint: sets the color scheme, chooses the prerendered page, and
// preloads what this route needs before the app itself has loaded.

// Without this, zod tries `new Function` and our content security policy reports it.
globalThis.__zod_globalConfig = { jitless: true };

(() => {
  const root = document.documentElement;
  let scheme = 'auto';
  try {
    scheme = localStorage.getItem('rubadub-color-scheme') || 'auto';
  } catch {}
  const dark = scheme === 'dark' || (scheme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  root.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  // A color scheme chosen in the app also applies to the bar around an installed app.
  const themeColors = scheme === 'auto' ? [] : document.querySelectorAll('meta[name=theme-color]');
  for (const meta of themeColors) meta.content = dark ? '#0e1a20' : '#f5f8fa';

  const [page] = performance.getEntriesByType?.('navigation') ?? [];
  if (page?.serverTiming?.some((entry) => entry.name === 'demo')) root.setAttribute('data-demo', '');

  const path = location.hash.slice(1).split('?')[0];
  // Screens of one order differ in its id.
  const [id = ''] = /[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.exec(path) ?? [];
  const screen = id ? path.replace(id, ':id') : path || '/';
  // A phone on the page of the demo (web/storage/scope.ts).
  const phone = parent !== window && /^demo-\w+$/.test(name) ? `-${name}` : '';
  let token;
  try {
    token = decodeURIComponent(new RegExp(`(?:^|;\\s*)auth-token${phone}=([^;]+)`).exec(document.cookie)?.[1] ?? '');
  } catch {} // A cookie that cannot be decoded counts as none.
  if (path.length > 1 || token) root.setAttribute('data-skip-landing', '');
  if (path === '/login' && !token) root.setAttribute('data-sign-in', '');

  // First, because a browser sends only six requests at once.
  if (token) prefetchAnswers();

  // The build fills in the files of the common routes that the entry does not import.
  const files = globalThis.ROUTE_FILES ?? {};
  const preloads = (files[screen] ?? (token ? files.shell : undefined) ?? []).map((file) =>
    preload(file, file.endsWith('.css') ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' }),
  );
  // Last, because the text shows in a similar font until then: its bytes would keep the code waiting on a slow network.
  const font = globalThis.FONT_FILE;
  if (font)
    Promise.all(preloads).then(() =>
      preload(font, { rel: 'preload', as: 'font', type: 'font/woff2', fetchPriority: 'low' }),
    );

  // Resolves when the file is there, or failed.
  function preload(href, attributes) {
    // Same as Vite's own preloads, or the file would be fetched twice.
    const link = Object.assign(document.createElement('link'), { crossOrigin: '', href, ...attributes });
    return new Promise((resolve) => {
      link.onload = resolve;
      link.onerror = resolve;
      document.head.append(link);
    });
  }

  // The first requests of a signed-in user. The app uses these responses instead of sending its own (web/api/client.ts).
  function prefetchAnswers() {
    const responses = new Map();
    const authorization = `Bearer ${token}`;
    globalThis.prefetched = { authorization, path, responses };
    const prefetch = (url) => {
      const response = fetch(url, { headers: { accept: 'application/json', authorization } });
      response.catch(() => {});
      responses.set(url, response);
    };
    prefetch('/api/auth/session');
    // The server of the screens and the build fill in the URL that each of these screens requests.
    const firstRequests = globalThis.FIRST_REQUESTS ?? {};
    const request = firstRequests[screen];
    if (request) prefetch(request.replace('-id-', id));
    // A response that is still unused after 10 s is too old.
    setTimeout(() => responses.clear(), 10_000);
  }
})();
