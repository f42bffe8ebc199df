import 'maplibre-gl/dist/maplibre-gl.css';
import * as maplibre from 'maplibre-gl';
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url';

// The library looks for its worker next to its own file, where the bundler does not put it.
maplibre.setWorkerUrl(workerUrl);

export { maplibre };
