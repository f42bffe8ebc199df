// What operators ask the console in a large town. Each kind is a statement that makes what is typed, and the call that it goes to.

export type Question = {
  readonly name: string;
  /** Makes `limit` texts for the path, from what the town has. */
  readonly typed: string;
  readonly path: (typed: string) => string;
};

const search = (typed: string) => `/api/operator/search?q=${encodeURIComponent(typed)}`;
const found = (name: string, typed: string): Question => ({ name: `search: ${name}`, typed, path: search });
const person = (column: string, more = '') =>
  `select ${column} from bench.people p join users u on u.id = p.id where p.n % 977 = 3 ${more}`;
const order = (column: string, join = '') =>
  `select ${column} from bench.orders b join orders o on o.id = b.id ${join} where b.n % 2998 = 2`;
const these = (...texts: string[]) => `select unnest(array['${texts.join("','")}'])`;

const SEARCHES: readonly Question[] = [
  found('order number', order(`'R-' || o.number`)),
  found('last 8 signs of an id', order('right(o.id::text, 8)')),
  found('full name', person('u.fullname')),
  found('common full name', these('Mary Smith', 'James Johnson', 'Mary Johnson', 'James Smith')),
  found('first name only', person('split_part(u.fullname, $$ $$, 1)')),
  found('common first name', these('Mary', 'mary', 'James')),
  found('common last name', these('Smith', 'Johnson', 'Garcia')),
  found('rare last name', person('p.last', 'and bench.chance(p.n, 2) >= 0.6')),
  found('phone', person('u.phone')),
  found('last 4 digits of a phone', person('right(u.phone, 4)')),
  found('e-mail', person('u.email')),
  found('beginning of an e-mail', these('mary.', 'mary.smith', 'james', 'm.', 'jo@', 'mar')),
  found('address', person('p.address')),
  found('street', these('Main Street', 'Oak Road', 'main', 'Main Street Mason')),
  found('house number and street', person(`split_part(p.address, ',', 1)`)),
  found('city', these('Mason', 'Ashford', 'mason')),
  found('last 4 of a card', order('y.card_last4', 'join payments y on y.order_id = o.id')),
  found('payment', order('y.square_id', 'join payments y on y.order_id = o.id')),
  found('bag code', order('g.code', 'join bags g on g.order_id = o.id')),
  found('case', `select 'C-' || no from cases where no % 61 = 0`),
  found('three letters', these('mar', 'smi', 'mai', 'joh', 'rob')),
  found('two letters', these('ma', 'sm', 'jo', 'st', 'oa')),
  found('a letter and a word', these('m smith', 'j johnson', 'a main')),
  found('many short words', these('ma st ma', 'ma st', 'oa ro do', 's m')),
  found('a name and a street', these('mary main', 'smith oak', 'james street')),
  found('nonsense', these('zzqxv', 'qqqqqqq wwww', '!!!???', 'x y z', '....', 'R-999999999', '00000000')),
];

const list = (name: string, path: string): Question => ({ name, typed: these('-'), path: () => path });
const of = (name: string, typed: string, path: (typed: string) => string): Question => ({ name, typed, path });

const LISTS: readonly Question[] = [
  list('Today', '/api/operator/today'),
  list('map of Today', '/api/operator/map'),
  list('orders', '/api/operator/orders'),
  of(
    'orders of a status',
    these('Requested', 'Accepted', 'In_Progress', 'Completed', 'Cancelled', 'Rejected'),
    (status) => `/api/operator/orders?status=${status}`,
  ),
  of(
    'orders from a time on',
    order(`to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '&beforeNumber=' || o.number`),
    (before) => `/api/operator/orders?before=${before}`,
  ),
  of(
    'completed orders from a time on',
    order(`to_char(o.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') || '&beforeNumber=' || o.number`),
    (before) => `/api/operator/orders?status=Completed&before=${before}`,
  ),
  ...[4, 26].map((weeks) => list(`figures of ${weeks} weeks`, `/api/operator/figures?weeks=${weeks}`)),
  list('figures by Scrub', '/api/operator/figures?by=scrub'),
  list('people', '/api/operator/people'),
  list('people, page 200', '/api/operator/people?page=200'),
  of('people of a role', these('Bud', 'Scrub', 'Duber'), (role) => `/api/operator/people?role=${role}`),
  of('people of a state', these('active', 'held', 'suspended'), (state) => `/api/operator/people?state=${state}`),
  of('people by words', these('mary', 'm', 'mary smith', 'zzq', 'smith'), (words) => `/api/operator/people?q=${words}`),
  of(
    'Dubers by words',
    these('mary', 'm', 'mary smith', 'zzq'),
    (words) => `/api/operator/people?role=Duber&q=${words}`,
  ),
  of('a person', person('u.id'), (id) => `/api/operator/people/${id}`),
  of('cases', these('open', 'with-town', 'closed', 'decided'), (state) => `/api/operator/cases?state=${state}`),
  list('closed cases, page 100', '/api/operator/cases?state=closed&page=100'),
  list('audit', '/api/operator/audit'),
  of(
    'audit from a row on',
    `select id from audit where id % 997 = 0`,
    (before) => `/api/operator/audit?before=${before}`,
  ),
  of(
    'audit of an order',
    `select subject_id from audit where id % 997 = 0`,
    (id) => `/api/operator/audit?subjectId=${id}`,
  ),
  of(
    'audit by words',
    these('telephoned', 'zzqxv', 'closeCase', 'Operator 3'),
    (words) => `/api/operator/audit?q=${words}`,
  ),
  of('audit of an operator', 'select id from operators', (id) => `/api/operator/audit?operatorId=${id}`),
];

export const QUESTIONS: readonly Question[] = [...SEARCHES, ...LISTS];
