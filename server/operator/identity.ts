import { describeColorProblem, findColorProblem } from '../../domain/colors.ts';
import { type Identity, LOGO_MAX_BYTES, LOGO_MAX_SIDE } from '../../domain/identity.ts';
import { refuseProperty } from '../http/refusals.ts';
import type { Acts, ConsoleContext, OperatorHandlers } from '../operatorContext.ts';
import { readLogo, readPublicTown } from '../town/identity.sql.ts';
import { readSettingRow, readSettings, writeSetting } from '../town/settings.sql.ts';
import { queueSupportEmailMail } from './approvalMails.ts';

export const identityHandlers = ({ db, now, config }: ConsoleContext): Pick<OperatorHandlers, 'readIdentity'> => ({
  readIdentity: async () => {
    const { identity } = await readSettings(db, now());
    const row = await readSettingRow(db, 'identity', now());
    return {
      ...identity,
      hasLogo: (await readLogo(db, now())) !== null,
      configuredEmail: config.supportEmail,
      setBy: row?.setBy ?? null,
      since: row?.validFrom.toISOString() ?? null,
    };
  },
});

export const IDENTITY_ACTS: Pick<Acts, 'setIdentity' | 'setLogo'> = {
  setIdentity: {
    check: async ({ body: { color } }) => {
      const problem = findColorProblem(color);
      if (problem) refuseProperty('color', 'isReadable', describeColorProblem(color, problem));
    },
    about: async ({ context: { db, now } }) => ({ before: (await readSettings(db, now())).identity }),
    run: async ({ context, operator, body: { reason: _, ...body } }) => {
      const { db, now } = context;
      const { identity: before } = await readSettings(db, now());
      const old = await readPublicTown(context);
      const {
        name,
        color,
        legalName = null,
        address = null,
        taxNumber = null,
        supportEmail = null,
        phone = null,
      } = body;
      const identity: Identity = { name, color, legalName, address, taxNumber, supportEmail, phone };
      await writeSetting(db, { name: 'identity', value: identity, setBy: operator.fullname, from: now() });
      const { supportEmail: email } = await readPublicTown(context);
      if (email !== old.supportEmail) await queueSupportEmailMail(context, { from: old.supportEmail, to: email });
      return { details: { before } };
    },
  },
  setLogo: {
    run: async ({ context, operator, body: { photo } }) => {
      const { db, now, files } = context;
      const sent = photo === null ? null : Buffer.from(photo, 'base64');
      if (sent && sent.length > LOGO_MAX_BYTES) refuseProperty('photo', 'maxLength', 'Choose a smaller picture');
      const logo = sent && (await reencode(files, operator.id, sent));
      await writeSetting(db, { name: 'logo', value: logo, setBy: operator.fullname, from: now() });
      // The audit does not keep the picture.
      return { details: { photo: logo && `${Math.ceil(logo.base64.length * 0.75)} bytes` } };
    },
  },
};

async function reencode({ reencoder }: ConsoleContext['files'], owner: string, sent: Buffer) {
  const { result } = await reencoder.reencode(sent, { owner, isProof: false }, LOGO_MAX_SIDE);
  if (typeof result === 'string') refuseProperty('photo', 'isPhoto', 'This is not a picture, or it is damaged');
  return { type: 'image/jpeg' as const, base64: Buffer.from(result.bytes).toString('base64') };
}
