import type { DemoReview, PublicConfig } from '../../../contract/payments.ts';
import type { Identity } from '../../../domain/identity.ts';
import { isLargerSize } from '../../../domain/orders.ts';
import { chargedPounds, type Service, soldSizes, type Tariff, toDollars } from '../../../domain/payments.ts';
import { percentOf } from '../../../domain/prices.ts';
import { OTHER_SERVICES } from '../../../domain/services.ts';
import { SETTING_DEFAULTS } from '../../../domain/settings.ts';
import type { Config } from '../../config/config.ts';
import type { Context } from '../../context.ts';
import type { Tx } from '../../db/database.ts';
import type { Handlers } from '../../http/routes.ts';
import { readPublicPrices } from './prices.sql.ts';

/** The part of the configuration that a browser may know, with the prices in force. */
export function configHandlers(
  { config, db, now }: Context,
  listDemoReviews: (tx: Tx, config: Config) => Promise<DemoReview[]>,
): Pick<Handlers, 'readConfig'> {
  return {
    readConfig: async () => {
      const [known, demoReviews] = await Promise.all([readPublicPrices(db, now()), listDemoReviews(db, config)]);
      const {
        tariffs,
        claimCaps,
        isWeighed,
        startsWithLaundry,
        asksDocuments,
        asksProof,
        roundsPlaces,
        pause,
        timeZone,
        identity,
        services,
      } = known;
      const notOffered = OTHER_SERVICES.filter((service) => !services.includes(service));
      return {
        ...toPublicConfig(config),
        ...toPublicTown(identity, config),
        ...(demoReviews.length > 0 ? { demoReviews } : {}),
        prices: toPublicPrices(tariffs),
        ...(notOffered.length > 0 ? { notOffered } : {}),
        claimCaps: { garment: toDollars(claimCaps.garment), order: toDollars(claimCaps.order) },
        ...toPublicSizes(tariffs['wash-and-fold']),
        ...(isWeighed ? { weighsLaundry: true } : {}),
        ...(startsWithLaundry ? { startsWithLaundry: true } : {}),
        ...(asksDocuments ? { asksDocuments } : {}),
        ...(asksProof ? { asksProof } : {}),
        ...(roundsPlaces ? { roundsPlaces } : {}),
        ...(timeZone === SETTING_DEFAULTS.timeZone ? {} : { timeZone }),
        ...(pause ? { pause } : {}),
      };
    },
  };
}

const THIRD_PARTIES = ['square', 'places', 'map', 'mail'] as const;

function toPublicConfig(
  config: Config,
): Omit<
  PublicConfig,
  | 'prices'
  | 'notOffered'
  | 'claimCaps'
  | 'demoReviews'
  | 'largerSizes'
  | 'weighsLaundry'
  | 'startsWithLaundry'
  | 'asksDocuments'
  | 'asksProof'
  | 'roundsPlaces'
  | 'pause'
  | 'timeZone'
  | 'supportEmail'
  | 'town'
> {
  const { square, mapbox } = config;
  const demoAccounts = config.demoAccounts?.() ?? [];
  const demoOperator = config.demoOperator?.();
  return {
    square: {
      applicationId: square?.applicationId ?? '',
      locationId: square?.locationId ?? '',
      webSdkUrl: square?.webSdkUrl ?? '',
    },
    mapbox: { token: mapbox?.token ?? '', baseUrl: mapbox?.baseUrl ?? '' },
    mapStyleUrl: config.mapStyleUrl ?? '',
    demo: config.demo,
    ...(config.isDemoLive ? { isDemoLive: true } : {}),
    ...(config.isDemoPreparing?.() ? { isDemoPreparing: true } : {}),
    ...(demoAccounts.length > 0 ? { demoAccounts: [...demoAccounts] } : {}),
    ...(demoOperator ? { demoOperator } : {}),
    standIns: THIRD_PARTIES.filter((party) => config.sandbox[party]),
  };
}

function toPublicTown(identity: Identity, config: Config): Pick<PublicConfig, 'supportEmail' | 'town'> {
  const { name, legalName, address, taxNumber, supportEmail, phone } = identity;
  return {
    supportEmail: supportEmail ?? config.supportEmail,
    town: { name, legalName, address, taxNumber, phone },
  };
}

function toPublicPrices(tariffs: Record<Service, Tariff>): PublicConfig['prices'] {
  const { pickup, delivery, platformFeeRate, taxRate, taxRounding } = tariffs['wash-and-fold'];
  return {
    perPound: {
      washAndFold: toDollars(tariffs['wash-and-fold'].perPound),
      dryCleaning: toDollars(tariffs['dry-cleaning'].perPound),
      delicate: toDollars(tariffs.delicate.perPound),
    },
    pickup: toDollars(pickup),
    delivery: toDollars(delivery),
    platformFeePercent: percentOf(platformFeeRate),
    taxPercent: percentOf(taxRate),
    ...(taxRounding ? { taxRounding } : {}),
  };
}

function toPublicSizes(tariff: Tariff): Pick<PublicConfig, 'largerSizes'> {
  const sold = soldSizes(tariff).filter(isLargerSize);
  const largerSizes = sold.map((size) => ({ size, pounds: chargedPounds(size, tariff) }));
  return sold.length > 0 ? { largerSizes } : {};
}
