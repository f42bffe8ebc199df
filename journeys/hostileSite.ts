import { once } from 'node:events';
import { createServer } from 'node:http';

/** Serves a page on another site that sends `stepUrl` in every way that a browser has. Afterwards it shows 'all tried'. */
export async function openHostileSite(stepUrl: string, token: string) {
  const html = `<!doctype html><title>hostile</title><p id="done"></p>
    <link rel="prefetch" href="${stepUrl}"><link rel="preload" as="fetch" href="${stepUrl}">
    <img src="${stepUrl}"><iframe src="${stepUrl}"></iframe><script src="${stepUrl}"></script>
    <link rel="stylesheet" href="${stepUrl}"><object data="${stepUrl}"></object><video src="${stepUrl}"></video>
    <form action="${stepUrl}" method="get"><button>Win</button></form>
    <script>
      const attempts = [
        fetch('${stepUrl}', { mode: 'no-cors', credentials: 'include' }),
        fetch('${stepUrl}', { credentials: 'include' }),
        fetch('${stepUrl}', { headers: { authorization: 'Bearer ${token}' } }),
        new Promise((done) => { navigator.sendBeacon('${stepUrl}'); done(); }),
        new Promise((done) => { const request = new XMLHttpRequest(); request.open('GET', '${stepUrl}');
          request.withCredentials = true; request.onloadend = done; request.send(); }),
        new Promise((done) => { const source = new EventSource('${stepUrl}', { withCredentials: true });
          source.onerror = () => { source.close(); done(); }; }),
      ];
      Promise.allSettled(attempts).then(() => { document.getElementById('done').textContent = 'all tried'; });
    </script>`;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(html);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  // To a browser, localhost and 127.0.0.1 are different sites.
  return { url: `http://localhost:${port}/`, close };
}
