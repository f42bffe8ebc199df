import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { RecordIssuer } from '../../contract/workRecords.ts';
import { createOrderInStatus, createParticipants, type Participants } from '../../testing/orderSteps.ts';
import { openTestServer, RULE_DATABASES, type TestServer } from '../../testing/testServer.ts';
import { checkRecord } from './checkRecord.ts';

describe.each(RULE_DATABASES)('a work record on %s', (database) => {
  let testServer: TestServer;
  let people: Participants;
  let issuer: RecordIssuer;

  beforeAll(async () => {
    testServer = await openTestServer(database);
    people = await createParticipants(testServer);
    issuer = await people.scrub.api.readRecordIssuer();
  });
  afterAll(() => testServer?.close());

  const recordOf = async (role: 'scrub' | 'duber') => (await people[role].api.readWorkRecord()).credential;

  test('a Scrub without work gets a record that says so', async () => {
    const checked = await checkRecord(await recordOf('scrub'), issuer);
    expect(checked).toMatchObject({
      is: 'genuine',
      record: { role: 'Scrub', finished: 0, ratings: { count: 0, average: null }, earned: 0, weeks: [] },
    });
  });

  test('the record has what was done, and what the page of earnings says was earned', async () => {
    await createOrderInStatus(people, 'Completed');
    const earnings = await people.scrub.api.earnings();
    const scrub = await checkRecord(await recordOf('scrub'), issuer);
    expect(scrub).toMatchObject({
      is: 'genuine',
      record: {
        name: people.scrub.user.fullname,
        finished: 1,
        earned: earnings.totalEarning,
        weeks: earnings.weeks.filter(({ earned }) => earned !== 0),
      },
    });
    expect(earnings.totalEarning).toBeGreaterThan(0);
  });

  test('a changed record, and one that another town has signed, are recognized', async () => {
    const [header = '', content = '', signature = ''] = (await recordOf('duber')).split('.');
    const richer = Buffer.from(
      Buffer.from(content, 'base64url').toString().replace('"finished":0', '"finished":900'),
    ).toString('base64url');
    expect(richer).not.toBe(content);
    expect(await checkRecord([header, richer, signature].join('.'), issuer)).toEqual({ is: 'changed' });
    const elsewhere = Buffer.from(
      JSON.stringify({ alg: 'EdDSA', typ: 'vc+jwt', kid: 'did:web:suds.example#work-records' }),
    ).toString('base64url');
    expect(await checkRecord([elsewhere, content, signature].join('.'), issuer)).toEqual({
      is: 'of-another-town',
      page: 'https://suds.example/#/verify',
    });
    const unsigned = Buffer.from(
      JSON.stringify({ alg: 'none', kid: JSON.parse(Buffer.from(header, 'base64url').toString()).kid }),
    ).toString('base64url');
    expect(await checkRecord([unsigned, content, ''].join('.'), issuer)).toEqual({ is: 'changed' });
    const oddKey = `${Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 5 })).toString('base64url')}.e30.x`;
    for (const text of ['', 'hello', oddKey, 'a.b.c', '.'.repeat(50_000), header])
      expect((await checkRecord(text, issuer)).is).toBe('no-record');
  });

  test('a name that is an address of a script leads nowhere', async () => {
    const header = Buffer.from(JSON.stringify({ alg: 'EdDSA', kid: 'did:web:javascript%3Aalert(1)#k' })).toString(
      'base64url',
    );
    expect(await checkRecord(`${header}.e30.x`, issuer)).toEqual({ is: 'no-record' });
  });

  test('the record has the form that the standards say, and its key is where did:web looks', async () => {
    const [header = '', content = ''] = (await recordOf('scrub')).split('.');
    const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString());
    expect(decode(header)).toEqual({
      ...{ alg: 'EdDSA', typ: 'vc+jwt', cty: 'vc', kid: `${issuer.id}#work-records` },
    });
    expect(decode(content)).toMatchObject({
      '@context': ['https://www.w3.org/ns/credentials/v2', {}],
      type: ['VerifiableCredential', 'WorkRecord'],
      issuer: issuer.id,
      credentialSubject: { id: `urn:uuid:${people.scrub.user.id}` },
    });
    expect(issuer.verificationMethod[0]?.publicKeyJwk).toMatchObject({ kty: 'OKP', crv: 'Ed25519' });
  });

  test('requests that make the key at once agree on one', async () => {
    await testServer.server.db.deleteFrom('keys').where('name', '=', 'record').execute();
    const answers = await Promise.all(Array.from({ length: 8 }, () => people.duber.api.readRecordIssuer()));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
  });
});
