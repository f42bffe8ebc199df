import type { Config, ThirdParties } from '../server/config/config.ts';
import { DEMO_OPERATOR, DEMO_PEOPLE, primaryAccountOf } from './demo/people.ts';

const STAND_IN_NAMES: Record<keyof ThirdParties, string> = {
  square: 'card payments',
  places: 'address search',
  map: 'map',
  mail: 'mail',
};

export type Entrances = {
  /** The password of the demo people, if there are any. */
  readonly demoPassword: string | undefined;
  /** The person who opens it becomes the first operator. Undefined when there is one. */
  readonly firstOperatorLink: string | undefined;
};

/** What `npm start` prints when the product is ready. */
export function formatBanner(config: Config, { demoPassword, firstOperatorLink }: Entrances): string {
  const { publicUrl, sandbox, reachable } = config;
  const rows: [string, string][] = [['App', publicUrl]];
  if (reachable.mail) rows.push(['Inbox', `${publicUrl}/sandbox/mail`]);
  rows.push(['API docs', `${publicUrl}/api/docs`]);
  rows.push(['Data', config.databaseUrl ? 'PostgreSQL (DATABASE_URL)' : `${config.dataDir} (embedded database)`]);
  if (demoPassword !== undefined) {
    rows.push(...listDemoAccounts(demoPassword));
    rows.push(['Operator', `${DEMO_OPERATOR.email}  ${publicUrl}/#/operator`]);
    if (config.isDemoLive)
      rows.push([
        'Neighbours',
        'awake: orders are accepted, washed and delivered as you watch (DEMO=on keeps them still)',
      ]);
  }
  if (firstOperatorLink !== undefined) {
    rows.push(['Operator', 'nobody runs this town yet: the first person to open this link can, and sets it up']);
    rows.push(['', firstOperatorLink]);
  }
  rows.push(['Stand-ins', describeStandIns(sandbox)]);
  if (sandbox.square) rows.push(['', 'Card that passes: 4111 1111 1111 1111, any later date, any CVV and ZIP']);
  const lines = rows.map(([name, text]) => `  ${name.padEnd(12)}${text}`);
  return ['', '  Rubadub is up', '', ...lines, '', '  Ctrl-C ends it.', ''].join('\n');
}

function listDemoAccounts(password: string): [string, string][] {
  const accounts = [...new Set(DEMO_PEOPLE.map(({ role }) => role))].map((role) => primaryAccountOf(role));
  return accounts.map((account, i) => [
    i === 0 ? 'Sign in as' : '',
    `${account?.role.padEnd(7)}${account?.email.padEnd(22)}password ${password}`,
  ]);
}

function describeStandIns(sandbox: ThirdParties): string {
  const inUse = (Object.keys(STAND_IN_NAMES) as (keyof ThirdParties)[])
    .filter((part) => sandbox[part])
    .map((part) => STAND_IN_NAMES[part]);
  return inUse.length > 0 ? `in use for ${inUse.join(', ')}` : 'none in use';
}
