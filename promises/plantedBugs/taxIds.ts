// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the strings are source code
import type { PlantedBug } from './plantedBug.ts';

const TAX_IDS = 'server/payments/taxIds.test.ts';
const EXPORT = 'server/operator/taxIds.test.ts';
const HANDLERS = 'server/payments/taxIds.ts';

/** Bugs in the tax numbers of workers. */
export const TAX_ID_BUGS: readonly PlantedBug[] = [
  {
    bug: 'the whole tax number is shown again',
    file: HANDLERS,
    find: 'last4: last4Of(number)',
    replace: 'last4: number',
    suite: TAX_IDS,
  },
  {
    bug: 'a tax number is changed without the password',
    file: HANDLERS,
    find: "checkCurrentPassword(context, { userId: caller.id, password, property: 'password', from });",
    replace:
      "checkCurrentPassword(context, { userId: caller.id, password, property: 'password', from }).catch(() => ({ fullname: 'Sid', email: 'sid@rubadub.test' }));",
    suite: TAX_IDS,
  },
  {
    bug: 'a tax number is stored as it was typed',
    file: HANDLERS,
    find: 'sealer.seal(JSON.stringify(taxId))',
    replace: "Buffer.concat([sealer.seal(''), Buffer.from(JSON.stringify(taxId))])",
    suite: TAX_IDS,
  },
  {
    bug: 'nobody is asked for a tax number before the money is on its way',
    file: HANDLERS,
    find: 'sent.thisYear + sent.due + Math.max(0, earned - paid)',
    replace: 'sent.thisYear',
    suite: TAX_IDS,
  },
  {
    bug: 'an SSN may have an area that is never given',
    file: 'domain/taxIds.ts',
    find: "area !== '666' && ",
    replace: '',
    suite: 'domain/taxIds.test.ts',
  },
  {
    bug: "the export has one worker's tax number beside another",
    file: 'server/operator/exports.ts',
    find: 'taxCellsOf(taxIds.get(id))',
    replace: 'taxCellsOf(taxIds.get(workers[0]?.id ?? id))',
    suite: EXPORT,
  },
  {
    bug: 'an operator who has not asked reads the export',
    file: 'server/operator/exports.sql.ts',
    find: 'where a.operator_id = ${operatorId}::uuid and a.action',
    replace: 'where ${operatorId}::uuid is not null and a.action',
    suite: EXPORT,
  },
  {
    bug: 'the export with tax numbers is read with an old code',
    file: 'server/operator/exports.ts',
    find: "if (!isCodeFresh(operator.session, now())) refuse('codeTooOld');",
    replace: 'void isCodeFresh;',
    suite: EXPORT,
  },
  {
    bug: 'a tax number that another key has encrypted counts as there',
    file: HANDLERS,
    find: 'keyName === null || !sealer.isOwn(keyName)',
    replace: 'keyName === null',
    suite: EXPORT,
  },
  {
    bug: 'a worker who was paid exactly what must be reported is not counted',
    file: 'server/payments/taxYears.sql.ts',
    find: 'having sum(w.amount) >= ',
    replace: 'having sum(w.amount) > ',
    suite: EXPORT,
  },
  {
    bug: 'a tax number is in the log',
    file: HANDLERS,
    find: "      wake('mail');",
    replace: "      wake('mail');\n      context.log.info({ taxId }, 'a tax number was entered');",
    suite: 'promises/visibility.test.ts',
  },
];
