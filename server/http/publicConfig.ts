import type { Config } from '../config/config.ts';
import type { Context } from '../context.ts';
import type { Handlers } from './routes.ts';

/** Serves the part of the configuration that browsers need. */
export function configHandlers({ config }: Context): Pick<Handlers, 'readConfig'> {
  return { readConfig: async () => toPublicConfig(config) };
}

const THIRD_PARTIES = ['square', 'places', 'map', 'mail'] as const;

function toPublicConfig(config: Config) {
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
    standIns: THIRD_PARTIES.filter((name) => config.sandbox[name]),
  };
}
