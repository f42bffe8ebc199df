import { v7 as newId } from 'uuid';
import { type CaseStatus, ITEM_KINDS, isOpenCase } from '../../domain/cases.ts';
import { maxForItem, needsPhoto } from '../../domain/claims.ts';
import { LIABLE_PARTIES } from '../../domain/ledger.ts';
import { toCents, toDollars } from '../../domain/payments.ts';
import type { CaseRow } from '../../server/cases/cases.sql.ts';
import { listItems, readCaseById } from '../../server/cases/cases.sql.ts';
import { caseHandlers } from '../../server/cases/cases.ts';
import { CLEANING_AGAIN } from '../../server/orders/reopenOrder.ts';
import { chooseWeighted, type Random } from '../random.ts';
import { storePhoto } from '../sentPhotos.ts';
import { pickOne } from './exceptionSimulation.ts';
import { type Simulation, tryAgain } from './simulation.ts';
import { takeTownAct } from './townSimulation.ts';
import type { Bud } from './users.ts';

type Story = Pick<Simulation, 'context' | 'random'>;

const CAPS = { garment: 5_000, order: 30_000 };
const WORDS = { words: 'Said in the storm.' };
const upTo = (random: Random, most: number) => 1 + Math.floor(random() * most);

/** A Bud claims something about an order that they have back, and some of what follows happens at once. */
export async function claim(simulation: Story, orderId: string, bud: Bud): Promise<void> {
  const { random } = simulation;
  const items = Array.from({ length: random() < 0.3 ? 2 : 1 }, () => makeItem(random));
  const photos = needsPhoto(items) ? [await tryAgain(() => storePhotoOf(simulation, bud.id))] : [];
  const fileIds = photos.filter((id) => id !== undefined);
  const input = { caller: bud, body: { kind: 'claim', orderId, items, fileIds }, idempotencyKey: newId() };
  const open = () => tryAgain(() => caseHandlers(simulation.context(), CLEANING_AGAIN).createCase(input as never));
  const [opened] = await Promise.all(random() < 0.2 ? [open(), open()] : [open()]);
  if (!opened) return;
  for (let steps = Math.floor(random() * 4); steps > 0; steps -= 1) await goOn(simulation, opened.id);
}

function makeItem(random: Random) {
  const [kind, ageMonths, worth] = [pickOne(random, ITEM_KINDS), Math.floor(random() * 30), upTo(random, 6_000)];
  const asked = toDollars(upTo(random, Math.max(1, maxForItem({ worth, ageMonths }, CAPS))));
  return { what: 'Shirt', kind, worth: toDollars(worth), ageMonths, asked };
}

const storePhotoOf = ({ context }: Story, owner: string) => {
  const { db, now } = context();
  return storePhoto(db, owner, now());
};

/** Somebody takes the next step of a case, at times twice at once. */
export async function goOn(simulation: Story, caseId: string): Promise<void> {
  const row = await tryAgain(() => readCaseById(simulation.context().db, caseId));
  if (!row) return;
  const step = () => STEPS[row.status](simulation, row);
  await Promise.all(simulation.random() < 0.2 ? [step(), step()] : [step()]);
}

const STEPS: Record<CaseStatus, (simulation: Story, row: CaseRow) => Promise<unknown>> = {
  'with-scrub': answer,
  'with-duber': answer,
  'with-bud': reply,
  'with-town': decideOrClose,
  decided: contest,
  closed: async () => {},
};

type StepName = 'answer' | 'accept-offer' | 'refuse-offer' | 'contest';

async function take(
  { context }: Story,
  row: CaseRow,
  { by, step, body }: { by: { id: string | null; role: string | null }; step: StepName; body: object },
): Promise<void> {
  const input = { caller: by, params: { id: row.id }, body, idempotencyKey: newId() };
  await tryAgain(() => caseHandlers(context(), CLEANING_AGAIN)[step](input as never));
}

const aboutOf = ({ aboutUser, aboutRole }: CaseRow) => ({ id: aboutUser, role: aboutRole });
const openerOf = ({ openedBy, openerRole }: CaseRow) => ({ id: openedBy, role: openerRole });

function answer(simulation: Story, row: CaseRow): Promise<void> {
  const { random } = simulation;
  const cleans = row.aboutRole === 'Scrub' ? 2 : 0;
  const offer = chooseWeighted(random, { 'give-back': 6, 'clean-again': cleans, 'was-before': 1 });
  // Some are more than was paid, and refused.
  const amount = offer === 'give-back' ? { amount: toDollars(upTo(random, row.askedCents)) } : {};
  return take(simulation, row, { by: aboutOf(row), step: 'answer', body: { ...WORDS, offer, ...amount } });
}

async function reply(simulation: Story, row: CaseRow): Promise<void> {
  const say = (step: StepName) => take(simulation, row, { by: openerOf(row), step, body: WORDS });
  const course = chooseWeighted(simulation.random, { accept: 5, refuse: 3, both: 1, silence: 5 });
  if (course === 'accept') await say('accept-offer');
  if (course === 'refuse') await say('refuse-offer');
  if (course === 'both') await Promise.all([say('accept-offer'), say('refuse-offer')]);
}

export async function decideIfWithTown(simulation: Story, caseId: string): Promise<void> {
  const row = await tryAgain(() => readCaseById(simulation.context().db, caseId));
  if (row?.status === 'with-town') await decideOrClose(simulation, row);
}

/** The town decides, at times more than it may. */
async function decideOrClose(simulation: Story, row: CaseRow): Promise<void> {
  const { random } = simulation;
  const close = () => takeTownAct(simulation, 'closeCase', row.id, WORDS);
  // A card cannot get back what its bank has taken back.
  if (row.kind === 'chargeback' || random() < 0.2) return void (await close());
  const items = await tryAgain(() => listItems(simulation.context().db, row.id));
  const asked = items?.length ? items.map((item) => ({ n: item.n, most: toCents(item.asked) })) : [{ n: 1, most: 900 }];
  const liable = pickOne(random, LIABLE_PARTIES);
  const decisions = asked
    .filter(() => random() < 0.9)
    .map((item) => ({ n: item.n, amount: toDollars(Math.floor(random() * item.most)), liable }));
  await takeTownAct(simulation, 'decideCase', row.id, { items: decisions, ...WORDS });
}

function contest(simulation: Story, row: CaseRow): Promise<void> {
  const by = simulation.random() < 0.5 ? openerOf(row) : aboutOf(row);
  if (by.id === null) return Promise.resolve();
  return take(simulation, row, { by, step: 'contest', body: WORDS });
}

/** The cases that are open, and those that can still be contested. */
export async function listCasesToGoOn({ context }: Story) {
  const rows = await tryAgain(() =>
    context().db.selectFrom('cases').select(['id', 'status']).where('status', '<>', 'closed').orderBy('no').execute(),
  );
  return (rows ?? []).map(({ id, status }) => ({ id, isOpen: isOpenCase(status) }));
}
