import { once } from 'node:events';
import { createServer } from 'node:http';

/** A page on another site that tries everything a page can, and says so when it has. */
export async function openHostileSite(step: string, token: string) {
  const html = `<!doctype html><title>evil</title><p id="done"></p>
    <link rel="prefetch" href="${step}"><link rel="preload" as="fetch" href="${step}">
    <img src="${step}"><iframe src="${step}"></iframe><script src="${step}"></script>
    <link rel="stylesheet" href="${step}"><object data="${step}"></object><video src="${step}"></video>
    <form action="${step}" method="get"><button>Win</button></form>
    <script>
      const ways = [
        fetch('${step}', { mode: 'no-cors', credentials: 'include' }),
        fetch('${step}', { credentials: 'include' }),
        fetch('${step}', { headers: { authorization: 'Bearer ${token}' } }),
        new Promise((done) => { navigator.sendBeacon('${step}'); done(); }),
        new Promise((done) => { const asked = new XMLHttpRequest(); asked.open('GET', '${step}');
          asked.withCredentials = true; asked.onloadend = done; asked.send(); }),
        new Promise((done) => { const source = new EventSource('${step}', { withCredentials: true });
          source.onerror = () => { source.close(); done(); }; }),
      ];
      Promise.allSettled(ways).then(() => { document.getElementById('done').textContent = 'all tried'; });
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
  // Another name of the same machine is another site to a browser.
  return { url: `http://localhost:${port}/`, close };
}
