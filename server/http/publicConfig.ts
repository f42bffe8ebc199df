import type { Config } from '../config/config.ts';
import type { Deps } from '../context.ts';
import type { Handlers } from './routes.ts';

/** What a browser may know of the configuration. */
export function configHandlers({ config }: Deps): Pick<Handlers, 'readConfig'> {
  return { readConfig: async () => publicConfig(config) };
}

const PARTS = ['square', 'places', 'map', 'mail'] as const;

function publicConfig(config: Config) {
  const { square, mapbox } = config;
  return {
    square: {
      applicationId: square?.applicationId ?? '',
      locationId: square?.locationId ?? '',
      webSdkUrl: square?.webSdkUrl ?? '',
    },
    mapbox: { token: mapbox?.token ?? '', baseUrl: mapbox?.baseUrl ?? '' },
    mapStyleUrl: config.mapStyleUrl ?? '',
    supportEmail: config.supportEmail,
    demo: config.demo,
    standIns: PARTS.filter((part) => config.sandbox[part]),
  };
}
