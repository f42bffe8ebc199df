import type { DocumentKind } from '../domain/admissions.ts';
import { DAY_MS } from '../domain/durations.ts';
import { setPolicy } from '../server/town/policies.sql.ts';
import { asBlob, SMALL_PHOTO } from './photos.ts';
import type { TestServer, TestUser } from './testServer.ts';
import { ownDataCall, participantWithRole, type ValidCall } from './validCall.ts';

/** From then on workers of a test server get work once their documents are accepted, or no longer only then. */
export const setAdmission = (
  { server, now }: Pick<TestServer, 'server' | 'now'>,
  value: 'open' | 'careful',
  inDays = 0,
): Promise<void> =>
  setPolicy(server.db, { name: 'admission', value, setBy: 'test' }, new Date(now().getTime() + inDays * DAY_MS));

/** Sends a photo of a document. */
export async function sendDocument({ api }: Pick<TestUser, 'api'>, kind: DocumentKind, expiresOn?: string) {
  const { id: fileId } = await api.createFile({ photo: asBlob(SMALL_PHOTO) });
  return api.sendDocument({ body: { kind, fileId, ...(expiresOn ? { expiresOn } : {}) } });
}

export const DOCUMENT_CALLS = {
  readDocuments: ownDataCall(),
  sendDocument: {
    prepare: async ({ testServer, participants }) => {
      // Nobody needs documents before, so that the other calls stay as they are.
      await setAdmission(testServer, 'careful', 10_000);
      const fileIds = new Map<string, string>();
      for (const role of ['Scrub', 'Duber'] as const)
        fileIds.set(
          role,
          (await participantWithRole(participants, role).api.createFile({ photo: asBlob(SMALL_PHOTO) })).id,
        );
      return { input: {}, inputFor: (role) => ({ body: { kind: 'identity', fileId: fileIds.get(role) } }) };
    },
    // A stranger's request has somebody else's file: documents.test.ts sends it.
    strangerResult: 'nobody',
  },
} satisfies Record<string, ValidCall>;
