import type { Payments, Square } from './squareTypes.ts';

const loadingScripts = new Map<string, Promise<Square>>();

// The SDK's script sets it.
const readSquare = (page: Window) => (page as Window & { Square?: Square }).Square;

function loadScript(src: string): Promise<Square> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = src;
    script.async = true;
    script.onload = () => {
      const square = readSquare(window);
      if (square) resolve(square);
      else reject(new Error(`${src} did not bring the card form`));
    };
    script.onerror = () => {
      script.remove();
      reject(new Error(`${src} could not be loaded`));
    };
    document.head.append(script);
  });
}

/** Loads the card network's web SDK once; a failed load can be retried. Rejects when the script cannot be loaded. */
function loadSquare(src: string): Promise<Square> {
  const running = loadingScripts.get(src);
  if (running) return running;
  const started = loadScript(src);
  loadingScripts.set(src, started);
  started.catch(() => loadingScripts.delete(src));
  return started;
}

/** Opens the SDK for the installation's account. */
export async function createPayments(config: {
  webSdkUrl: string;
  applicationId: string;
  locationId: string;
}): Promise<Payments> {
  const square = await loadSquare(config.webSdkUrl);
  return square.payments(config.applicationId, config.locationId);
}
