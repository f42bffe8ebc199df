// Made by `npm run schema` from schema.sql. Do not edit.
import type { ColumnType, Generated, JSONColumnType } from 'kysely';
import type { ActName } from '../../contract/operator/api.ts';
import type { AuditSubject } from '../../contract/operator/call.ts';
import type { Address } from '../../contract/places.ts';
import type { Role } from '../../domain/accounts.ts';
import type { AdmissionStatus, DocumentKind, DocumentState, WorkerRole } from '../../domain/admissions.ts';
import type { ApprovalState } from '../../domain/approvals.ts';
import type { BankFormat } from '../../domain/bankFiles.ts';
import type { CaseEventAction, CaseKind, CasePriority, CaseStatus, ItemKind, Offer } from '../../domain/cases.ts';
import type { DeliveryStatus, DeliveryStepAction, DeliveryType } from '../../domain/deliveries.ts';
import type { DisputeStatus } from '../../domain/disputes.ts';
import type { EarningKind, PendingReason } from '../../domain/earnings.ts';
import type { ErasureStatus } from '../../domain/erasures.ts';
import type { FileSubject } from '../../domain/files.ts';
import type { PinSide, Proof } from '../../domain/handovers.ts';
import type { Hours } from '../../domain/hours.ts';
import type { EntryKind, LedgerAccount, LiableParty, RefundBearer } from '../../domain/ledger.ts';
import type { Channel, NotificationKind } from '../../domain/notifications.ts';
import type { Permission } from '../../domain/operators.ts';
import type { OrderSize, OrderStatus, OrderStepAction, WayHome } from '../../domain/orders.ts';
import type { PaymentState, PriceItem } from '../../domain/payments.ts';
import type { PayoutMethodName } from '../../domain/payoutAccounts.ts';
import type { Earner, LineItem } from '../../domain/prices.ts';
import type { UnpaidReason } from '../../domain/promises.ts';
import type { DayCounts, DayDifference, DayState, DaySums } from '../../domain/reconciledDays.ts';
import type { RestrictionKind, SuspensionStatus } from '../../domain/restrictions.ts';
import type { ReviewType } from '../../domain/reviews.ts';
import type { SavedCardState } from '../../domain/savedCards.ts';
import type { SettingName } from '../../domain/settings.ts';
import type { TaxIdKind } from '../../domain/taxIds.ts';
import type { CorrectionState, Scale } from '../../domain/weighing.ts';
import type { Turnaround, WindowKind } from '../../domain/windows.ts';
import type { Actor } from '../../domain/workflow.ts';
import type { Corners, ZoneItem } from '../../domain/zones.ts';
import type { RenderedMail } from '../outgoing/renderMail.ts';

type Timestamp = ColumnType<Date, Date | string, Date | string>;
/** PostgreSQL's bigint, which pg reads as text. */
type Int8 = ColumnType<string, bigint | number | string, bigint | number | string>;

export type Addresses = {
  address: string;
  created_at: Timestamp;
  id: string;
  label: string;
  latitude: number;
  longitude: number;
  user_id: string;
};

export type Adjustments = {
  entry_id: Int8;
  order_id: string;
  reason: string;
  set_by: string;
};

export type AdmissionSweeps = {
  begun_at: Timestamp | null;
  done_target: string | null;
  is_first_pass: boolean | null;
  last_of_pass: string | null;
  one_row: Generated<boolean>;
  target: string | null;
};

export type Admissions = {
  asked_at: Timestamp | null;
  asked_for: string[] | null;
  decided_at: Timestamp | null;
  decided_by: string | null;
  id: string;
  role: WorkerRole;
  since: Timestamp;
  status: AdmissionStatus;
  step: Generated<number>;
  works_until: Timestamp | null;
};

export type Approvals = {
  about: JSONColumnType<object> | null;
  action: ActName;
  asked_at: Timestamp;
  asked_by: string;
  body: JSONColumnType<object>;
  body_hash: Buffer;
  cents: number | null;
  decided_at: Timestamp | null;
  decided_by: string | null;
  id: string;
  params: JSONColumnType<object>;
  reason: string;
  status: ApprovalState;
  stop_hash: Buffer | null;
  stop_mail: string | null;
  subject_id: string | null;
  subject_kind: AuditSubject;
  words: string | null;
};

export type Audit = {
  action: string;
  approval_id: string | null;
  approved_by: string | null;
  approved_by_name: string | null;
  at: Timestamp;
  cents: number | null;
  details: string;
  hash: Buffer;
  id: Int8;
  operator_id: string | null;
  operator_name: string;
  reason: string;
  request_id: string | null;
  sealed: Buffer | null;
  subject_id: string | null;
  subject_kind: AuditSubject;
};

export type AuditHead = {
  hash: Buffer;
  id: Int8;
  one_row: Generated<boolean>;
};

export type Bags = {
  code: string;
  made_at: Timestamp;
  made_by: string;
  n: number;
  order_id: string;
};

export type Bookings = {
  bud_id: string;
  day: string;
  order_id: string;
  pickup_starts: Timestamp | null;
  pounds: number;
  return_starts: Timestamp | null;
  scrub_id: string | null;
  waiting_slot: number | null;
  zone_id: string;
};

export type Broadcasts = {
  at: Timestamp;
  id: string;
  is_urgent: boolean;
  last_user: string | null;
  people: number;
  sent_by: string;
  title: string;
  to_role: Role | 'everyone';
  words: string;
  written: Generated<number>;
  written_at: Timestamp | null;
};

export type CardCustomers = {
  bud_id: string;
  due_at: Timestamp | null;
  square_id: string;
  tries: Generated<number>;
};

export type CasePeople = {
  case_id: string;
  user_id: string;
};

export type CaseRefunds = {
  case_id: string;
  forgiven: Generated<number>;
  liable: LiableParty;
  position: number;
  refund_id: string;
};

export type Cases = {
  about_role: 'Scrub' | 'Duber' | null;
  about_user: string | null;
  contested_at: Timestamp | null;
  created_at: Timestamp;
  decided_at: Timestamp | null;
  decided_by: 'Bud' | 'Operator' | 'System' | null;
  delivery_id: string | null;
  id: string;
  kind: CaseKind;
  no: Generated<number>;
  offer: Offer | null;
  offer_cents: number | null;
  opened_by: string | null;
  order_id: string | null;
  priority: CasePriority;
  reason: string | null;
  status: CaseStatus;
  steps: Generated<number>;
};

export type ClaimItems = {
  age_months: number;
  asked: number;
  case_id: string;
  decided: number | null;
  kind: ItemKind;
  liable: LiableParty | null;
  n: number;
  what: string;
  worth: number;
};

export type Closures = {
  added_at: Timestamp;
  added_by: string;
  from_at: Timestamp;
  id: string;
  taken_back_at: Timestamp | null;
  taken_back_by: string | null;
  until_at: Timestamp;
  words: string;
  zone_id: string | null;
};

export type Corrections = {
  answered_at: Timestamp | null;
  answered_by: 'Bud' | 'System' | null;
  at: Timestamp;
  contested_at: Timestamp | null;
  from_cents: number;
  from_size: OrderSize;
  order_id: string;
  splits: boolean;
  state: CorrectionState;
  to_cents: number | null;
  to_size: OrderSize | null;
};

export type Deliveries = {
  attempt: Generated<number>;
  bud_id: string;
  carrier_id: string | null;
  created_at: Timestamp;
  delivered_at: Timestamp | null;
  delivery_type: DeliveryType;
  distance_m: number;
  duber_id: string | null;
  due_from: Timestamp | null;
  due_until: Timestamp | null;
  has_laundry: Generated<boolean>;
  id: string;
  left_at: Timestamp | null;
  left_by: string | null;
  lost_at: Timestamp | null;
  order_id: string;
  paid_by: 'platform' | 'scrub' | null;
  pickup_band: number;
  pickup_latitude: number;
  pickup_longitude: number;
  price: number;
  round: Generated<number>;
  scrub_id: string;
  status: DeliveryStatus;
  stopped_at: Timestamp | null;
};

export type DeliveryPositions = {
  accuracy: number | null;
  at: Timestamp;
  delivery_id: string;
  latitude: number | null;
  longitude: number | null;
};

export type DeliveryTallies = {
  deliveries: Int8;
  distance_m: Int8;
  person_id: string;
  price: Int8;
  status: DeliveryStatus;
};

export type DisputePolls = {
  due_at: Timestamp;
  one_row: Generated<boolean>;
};

export type Disputes = {
  call: 'send' | 'accept' | null;
  call_due_at: Timestamp | null;
  cents: number;
  debit_entry: Int8 | null;
  due_at: Timestamp | null;
  end_entry: Int8 | null;
  ended_at: Timestamp | null;
  evidence: string[] | null;
  failure: string | null;
  id: string;
  liable_account: 'scrub' | 'duber' | null;
  liable_user: string | null;
  network_state: string;
  network_version: Generated<number>;
  order_id: string;
  prepared_at: Timestamp | null;
  prepared_by: string | null;
  reason: string;
  seen_at: Timestamp;
  sent_at: Timestamp | null;
  square_id: string;
  status: DisputeStatus;
  tries: Generated<number>;
};

export type Documents = {
  decided_at: Timestamp | null;
  decided_by: string | null;
  erase_at: Timestamp | null;
  expires_on: string | null;
  file_id: string;
  id: string;
  kind: DocumentKind;
  last_day: string | null;
  sent_at: Timestamp;
  state: DocumentState;
  user_id: string;
  why: string | null;
};

export type DuberPlaces = {
  band: number;
  duber_id: string;
  home_latitude: number | null;
  home_longitude: number | null;
  latitude: number;
  longitude: number;
  moves: Generated<number>;
  moves_since: Timestamp | null;
};

export type Earnings = {
  at: Timestamp;
  attempt: number;
  bearer_id: string | null;
  cents: number;
  delivery_id: string;
  duber_id: string;
  entry_id: Int8 | null;
  from_order: number;
  kind: EarningKind;
  order_id: string;
  undone_at: Timestamp | null;
  undone_by: Int8 | null;
};

export type EmailChanges = {
  expires_at: Timestamp;
  new_code_hash: Buffer | null;
  new_email: string;
  new_email_key: string;
  old_code_hash: Buffer | null;
  sent_at: Timestamp;
  sent_in_window: number;
  tries_left: number;
  user_id: string;
  window_from: Timestamp;
};

export type EmailCodes = {
  code_hash: Buffer | null;
  email_key: string;
  expires_at: Timestamp;
  sent_at: Timestamp;
  sent_in_window: number;
  tries_left: number;
  window_from: Timestamp;
};

export type Erasures = {
  asked_at: Timestamp;
  asked_by: string | null;
  due_at: Timestamp;
  id: string;
  sealed: Buffer | null;
  since: Timestamp;
  status: ErasureStatus;
  step: number;
};

export type EventsCleared = {
  only_one: Generated<boolean>;
  tx: string;
};

export type ExportFiles = {
  bytes: number;
  content: Buffer;
  crc: Int8;
  export_id: string;
  name: string;
  position: number;
};

export type Exports = {
  asked_at: Timestamp;
  due_at: Timestamp | null;
  failed_at: Timestamp | null;
  id: string;
  ready_at: Timestamp | null;
  tries: Generated<number>;
  user_id: string;
};

export type FileContents = {
  content: Buffer;
  file_id: string;
};

export type Files = {
  about_id: string | null;
  about_kind: FileSubject | null;
  at: Timestamp;
  bytes: number;
  gone_at: Timestamp | null;
  height: number;
  id: string;
  kept_at: Timestamp | null;
  owner_id: string;
  request_key: Buffer | null;
  sent: Buffer;
  sha256: Buffer;
  type: string;
  width: number;
};

export type HandoverConfirmations = {
  at: Timestamp;
  bags: number;
  by_id: string;
  order_id: string;
  position: number;
};

export type Handovers = {
  at: Timestamp;
  attempt: number | null;
  bags: number | null;
  delivery_id: string | null;
  follows: number | null;
  giver_id: string;
  giver_role: Role;
  id: Generated<string>;
  latitude: number | null;
  longitude: number | null;
  order_id: string;
  position: number;
  proof: Proof;
  round: number;
  taken_at: Timestamp | null;
  taker_id: string;
  taker_role: Role;
  takes_back: number | null;
};

export type Holds = {
  from_at: Timestamp;
  id: string;
  kind: RestrictionKind;
  lifted_at: Timestamp | null;
  lifted_by: string | null;
  of_admission: Generated<boolean>;
  of_erasure: Generated<boolean>;
  reason: string;
  set_by: string | null;
  suspension_id: string | null;
  user_id: string;
};

export type Keys = {
  created_at: Timestamp;
  name: 'vapid' | 'unsubscribe' | 'record';
  public_key: string | null;
  secret: string;
};

export type KnownDevices = {
  kind: string;
  last_seen_at: Timestamp;
  user_id: string;
  value: string;
};

export type LedgerEntries = {
  at: Timestamp;
  delivery_id: string | null;
  id: Generated<Int8>;
  kind: EntryKind;
  order_id: string | null;
  payout_id: string | null;
  refund_id: string | null;
  written_in: string;
};

export type LedgerLines = {
  account: LedgerAccount;
  amount: number;
  at: Timestamp;
  entry_id: Int8;
  kind: EntryKind;
  party: string | null;
  position: number;
};

export type LedgerTallies = {
  account: string;
  amount: Int8;
  kind: string;
  party: string;
};

export type LiveEvents = {
  at: Timestamp;
  band: number | null;
  entity: string;
  entity_id: string;
  id: Generated<Int8>;
  latitude: number | null;
  longitude: number | null;
  people: string[];
  status: string | null;
  tx: Generated<string>;
  written_in: Generated<string | null>;
};

export type MissedPromises = {
  back_at: Timestamp | null;
  cents: number;
  ended_at: Timestamp | null;
  found_at: Timestamp;
  holder_role: Role | null;
  liable: LiableParty | null;
  liable_user: string | null;
  order_id: string;
  pickup_until: Timestamp | null;
  promised_at: Timestamp;
  reason: UnpaidReason | null;
  refund_id: string | null;
  return_from: Timestamp | null;
  state: 'owed' | 'paid' | 'kept' | 'unpaid';
};

export type NearbyNotices = {
  created_at: Timestamp;
  delivery_id: string;
  latitude: number;
  longitude: number;
};

export type NotificationChoices = {
  kind: NotificationKind;
  mail: boolean;
  push: boolean;
  user_id: string;
};

export type Notifications = {
  about: string;
  channel: Channel | 'account-mail';
  created_at: Timestamp;
  done_at: Timestamp | null;
  due_at: Timestamp | null;
  failure: string | null;
  kind: NotificationKind | 'account';
  recipient: string | null;
  rendered_mail: JSONColumnType<RenderedMail> | null;
  state: 'due' | 'sent' | 'dropped' | 'given-up';
  target: string;
  tries: Generated<number>;
  user_id: string | null;
};

export type OperatorCaps = {
  cap: Permission;
  given_at: Timestamp;
  operator_id: string;
};

export type OperatorInvitations = {
  caps: string[];
  created_at: Timestamp;
  email: string | null;
  expires_at: Timestamp;
  invited_by: string | null;
  operator_id: string | null;
  token_hash: Buffer;
};

export type OperatorSessions = {
  browser: string;
  code_at: Timestamp;
  created_at: Timestamp;
  ended_at: Timestamp | null;
  last_used_at: Timestamp;
  network: string;
  operator_id: string;
  token_hash: Buffer;
};

export type Operators = {
  created_at: Timestamp;
  email: string;
  email_key: string;
  ended_at: Timestamp | null;
  fullname: string;
  id: string;
  is_demo: Generated<boolean>;
  password_hash: string;
};

export type OrderLines = {
  cents: number;
  earner: Earner;
  is_taxed: boolean;
  item: LineItem;
  order_id: string;
};

export type OrderTallies = {
  load_price: Int8;
  orders: Int8;
  person_id: string;
  status: OrderStatus;
  total_price: Int8;
};

export type Orders = {
  bud_address: JSONColumnType<Address>;
  bud_id: string;
  ceiling_size: OrderSize | null;
  closed_at: Timestamp | null;
  completed_at: Timestamp | null;
  created_at: Timestamp;
  discount: number | null;
  distance_m: number;
  given_back_at: Timestamp | null;
  handed_over_at: Timestamp | null;
  held_since: Timestamp | null;
  holder_delivery: string | null;
  holder_id: string;
  holder_role: Generated<Role>;
  id: string;
  instructions: string | null;
  leave_at_door: Generated<boolean>;
  load_price: number;
  load_size: OrderSize;
  number: Generated<Int8>;
  pickup_from: Timestamp | null;
  pickup_until: Timestamp | null;
  priced_at: Timestamp | null;
  promised_at: Timestamp | null;
  promo_code: string | null;
  return_from: Timestamp | null;
  return_until: Timestamp | null;
  round: Generated<number>;
  scrub_address: JSONColumnType<Address>;
  scrub_id: string;
  self_delivery: boolean;
  self_pickup: boolean;
  status: OrderStatus;
  tax_rate: number | null;
  total_price: number;
  turnaround: Turnaround | null;
  way_home: WayHome | null;
  ways_paid_by: 'platform' | 'scrub' | null;
  zone_id: string | null;
};

export type PasskeyChallenges = {
  challenge_hash: Buffer;
  expires_at: Timestamp;
  operator_id: string;
  purpose: string;
};

export type Passkeys = {
  counter: Int8;
  created_at: Timestamp;
  credential_id: string;
  id: string;
  last_used_at: Timestamp | null;
  name: string;
  operator_id: string;
  public_key: Buffer;
  site: string;
  transports: string[];
};

export type Payments = {
  amount: number;
  body_hash: Buffer | null;
  bud_id: string;
  card_brand: string | null;
  card_fee: number | null;
  card_last4: string | null;
  concern: string | null;
  created_at: Timestamp;
  customer_id: string | null;
  discount: Generated<number>;
  discount_reduced: Generated<number>;
  draft: JSONColumnType<object> | null;
  due_at: Timestamp | null;
  failure: string | null;
  fee_tries: Generated<number>;
  held: number | null;
  idempotency_key: string | null;
  look_at: Timestamp | null;
  order_id: string;
  reduced: Generated<number>;
  refunded: Generated<number>;
  replaces: string | null;
  settle_when_captured: Generated<boolean>;
  source_id: string | null;
  square_id: string | null;
  state: PaymentState;
  tries: Generated<number>;
  updated_at: Timestamp;
  verification_token: string | null;
  version_token: string | null;
};

export type PayoutAccounts = {
  changed_at: Timestamp;
  last4: string;
  mark: Buffer | null;
  method: PayoutMethodName;
  sealed: Buffer;
  user_id: string;
};

export type PayoutFiles = {
  batch: string;
  day: string;
  format: BankFormat;
  made_at: Timestamp;
  number: number;
  sealed: Buffer;
};

export type PayoutHolds = {
  account: 'scrub' | 'duber';
  case_id: string | null;
  cents: number | null;
  earning_entry: Int8 | null;
  ended_at: Timestamp | null;
  entry_id: Int8 | null;
  id: Generated<Int8>;
  order_id: string;
  reason: PendingReason;
  since: Timestamp;
  until: Timestamp | null;
  user_id: string;
};

export type PayoutLines = {
  entry_id: Int8;
  payout_id: string;
  position: number;
};

export type PayoutRuns = {
  finished_at: Timestamp;
  period_end: Timestamp;
};

export type Payouts = {
  amount: number;
  batch: string | null;
  created_at: Timestamp;
  id: string;
  method: string | null;
  period_end: Timestamp;
  return_entry: Int8 | null;
  returned_at: Timestamp | null;
  sent_at: Timestamp | null;
  state: 'due' | 'sent' | 'returned';
  user_id: string;
};

export type Pins = {
  made_at: Timestamp;
  order_id: string;
  pin: string;
  round: number;
  side: PinSide;
  tries: Generated<number>;
};

export type Policies = {
  id: Generated<Int8>;
  name: string;
  set_by: string;
  valid_from: Timestamp;
  value: string;
};

export type Prices = {
  item: PriceItem;
  tenths: Generated<number>;
  valid_from: Timestamp;
  value: number;
};

export type PromoUses = {
  bud_id: string;
  card: Buffer | null;
  discount: number;
  order_id: string;
  promo_id: string;
  returned_at: Timestamp | null;
  used_at: Timestamp;
};

export type Promos = {
  code: string;
  created_at: Timestamp;
  created_by: string;
  ended_at: Timestamp | null;
  ends_at: Timestamp | null;
  first_order_only: boolean;
  id: string;
  kind: string;
  max_discount: number | null;
  max_uses: number | null;
  max_uses_per_bud: number | null;
  min_total: number;
  starts_at: Timestamp;
  uses: Generated<number>;
  value: number;
};

export type Proposals = {
  answer: 'yes' | 'no' | 'withdrawn' | 'expired' | null;
  answer_by: Timestamp;
  answered_at: Timestamp | null;
  by_id: string | null;
  by_role: 'Scrub' | 'Operator';
  id: string;
  made_at: Timestamp;
  order_id: string;
  pickup_from: Timestamp | null;
  pickup_until: Timestamp | null;
  reason: string;
  return_from: Timestamp;
  return_until: Timestamp;
  words: string | null;
};

export type PushSubscriptions = {
  agent: string;
  auth: string;
  created_at: Timestamp;
  endpoint: string;
  endpoint_hash: Buffer;
  id: string;
  last_used_at: Timestamp | null;
  p256dh: string;
  session_hash: Buffer;
  unanswered: Generated<number>;
  unanswered_since: Timestamp | null;
  user_id: string;
};

export type RateLimits = {
  count: number;
  ends_at: Timestamp;
  kind: string;
  network: string;
};

export type ReconciledDays = {
  checked_at: Timestamp | null;
  counts: JSONColumnType<DayCounts> | null;
  day: string;
  differences: Generated<JSONColumnType<readonly DayDifference[]>>;
  differing: Generated<number>;
  due_at: Timestamp | null;
  failure: string | null;
  is_early: Generated<boolean>;
  is_known: Generated<boolean>;
  ours: JSONColumnType<DaySums> | null;
  progress: JSONColumnType<object> | null;
  state: DayState | null;
  theirs: JSONColumnType<DaySums> | null;
  tries: Generated<number>;
};

export type ReconciledIds = {
  run: string;
  square_id: string;
};

export type Refunds = {
  amount: number;
  created_at: Timestamp;
  discount: Generated<number>;
  due_at: Timestamp | null;
  failure: string | null;
  forgiven: Generated<number>;
  id: string;
  liable: RefundBearer;
  liable_user: string | null;
  order_id: string;
  reason: string;
  square_refund_id: string | null;
  state: 'asking' | 'pending' | 'refunded' | 'stuck' | 'dropped';
  taxes: number;
  tries: Generated<number>;
  updated_at: Timestamp;
};

export type Requests = {
  actor_id: string;
  answer: JSONColumnType<object> | null;
  at: Timestamp;
  body_hash: Buffer | null;
  call: string;
  key_hash: Buffer;
  subject_id: string;
};

export type Requirements = {
  kind: DocumentKind;
  needed: boolean;
  renew_days: number | null;
  role: WorkerRole;
};

export type ResetLinks = {
  created_at: Timestamp;
  expires_at: Timestamp;
  token_hash: Buffer;
  user_id: string;
};

export type ResetRequests = {
  asked_at: Timestamp;
  device: string | null;
  email_key: string;
  id: string;
  network: string | null;
};

export type Restores = {
  compared_at: Timestamp | null;
  restored_at: Timestamp;
};

export type Reviews = {
  created_at: Timestamp;
  delivery_id: string | null;
  from_user_id: string;
  id: string;
  message: string;
  order_id: string;
  rating: number;
  to_user_id: string;
  type: ReviewType;
};

export type SamePeople = {
  case_id: string;
  found_at: Timestamp;
  marks: string[];
  one: string;
  other: string;
};

export type SavedCards = {
  brand: string | null;
  bud_id: string;
  consent: string;
  created_at: Timestamp;
  due_at: Timestamp | null;
  exp_month: number | null;
  exp_year: number | null;
  id: string;
  is_asked: Generated<boolean>;
  last4: string | null;
  square_card_id: string | null;
  square_payment_id: string;
  state: SavedCardState;
  tries: Generated<number>;
  updated_at: Timestamp;
  used_at: Timestamp;
};

export type SchemaVersion = {
  number: number;
  one_row: Generated<boolean>;
};

export type ScrubDays = {
  day: string;
  orders: number;
  pounds: number;
  scrub_id: string;
};

export type ScrubDaysOff = {
  added_at: Timestamp;
  from_on: string;
  id: string;
  scrub_id: string;
  until_on: string;
};

export type ScrubPlaces = {
  active: boolean;
  address: string;
  band: number;
  latitude: number;
  longitude: number;
  scrub_id: string;
};

export type ScrubWeeks = {
  feed_hash: Buffer | null;
  hours: JSONColumnType<Hours>;
  notice_hours: number;
  orders_a_day: number | null;
  pounds_a_day: number | null;
  scrub_id: string;
  sizes: OrderSize[] | null;
  updated_at: Timestamp;
};

export type SecondFactors = {
  added_at: Timestamp;
  last_step: Generated<number>;
  operator_id: string;
  sealed_secret: Buffer;
};

export type Sessions = {
  browser: string | null;
  created_at: Timestamp;
  device: Buffer | null;
  last_used_at: Timestamp;
  network: string | null;
  token_hash: Buffer;
  user_id: string;
};

export type Settings = {
  id: Generated<Int8>;
  name: SettingName;
  set_by: string;
  valid_from: Timestamp;
  value: JSONColumnType<object, unknown, unknown>;
};

export type SignInAttempts = {
  blocked_until: Timestamp;
  email_key: string;
  failures: number;
  origin: string;
};

export type Steps = {
  action: OrderStepAction | DeliveryStepAction | CaseEventAction;
  actor_id: string | null;
  actor_name: string | null;
  actor_role: Actor;
  at: Timestamp;
  attempt: number | null;
  cents: number | null;
  counts_from: Timestamp | null;
  file_ids: Generated<string[]>;
  id: string | null;
  is_proven: boolean | null;
  latitude: number | null;
  longitude: number | null;
  offer: Offer | null;
  position: number;
  reason: string | null;
  status: OrderStatus | DeliveryStatus | CaseStatus;
  subject_id: string;
  subject_kind: 'order' | 'delivery' | 'case';
  taken_at: Timestamp | null;
  words: string | null;
};

export type Suspensions = {
  ended_at: Timestamp | null;
  ended_by: string | null;
  from_at: Timestamp;
  id: string;
  reason: string;
  set_by: string;
  status: SuspensionStatus;
  until_at: Timestamp;
  user_id: string;
};

export type TaxIds = {
  changed_at: Timestamp;
  country: string;
  kind: TaxIdKind;
  last4: string;
  mark: Buffer | null;
  sealed: Buffer;
  user_id: string;
};

export type Timers = {
  action: string;
  armed_by_step: number;
  due_at: Timestamp;
  subject_id: string;
  subject_kind: 'order' | 'delivery' | 'case' | 'approval' | 'suspension' | 'dispute' | 'admission' | 'erasure';
};

export type Users = {
  created_at: Timestamp;
  email: string;
  email_key: string;
  fullname: string;
  id: string;
  is_active: Generated<boolean>;
  password_hash: string;
  phone: string | null;
  rating_count: Generated<number>;
  rating_sum: Generated<number>;
  role: Role;
};

export type WebhookEvents = {
  id: string;
  received_at: Timestamp;
  type: string;
};

export type Weighings = {
  at: Timestamp;
  by_id: string;
  delivery_id: string | null;
  grams: number;
  id: string;
  order_id: string;
  round: number;
  scale: Scale;
  splits: Generated<boolean>;
};

export type WindowPlaces = {
  kind: WindowKind;
  starts_at: Timestamp;
  taken: number;
  zone_id: Generated<string>;
};

export type ZoneAreas = {
  corners: JSONColumnType<Corners> | null;
  set_by: string;
  valid_from: Timestamp;
  zone_id: string;
};

export type ZonePrices = {
  item: ZoneItem;
  tenths: Generated<number>;
  valid_from: Timestamp;
  value: number | null;
  zone_id: string;
};

export type Zones = {
  created_at: Timestamp;
  id: string;
  name: string;
};

/** Every table. */
export type Schema = {
  addresses: Addresses;
  adjustments: Adjustments;
  admission_sweeps: AdmissionSweeps;
  admissions: Admissions;
  approvals: Approvals;
  audit: Audit;
  audit_head: AuditHead;
  bags: Bags;
  bookings: Bookings;
  broadcasts: Broadcasts;
  card_customers: CardCustomers;
  case_people: CasePeople;
  case_refunds: CaseRefunds;
  cases: Cases;
  claim_items: ClaimItems;
  closures: Closures;
  corrections: Corrections;
  deliveries: Deliveries;
  delivery_positions: DeliveryPositions;
  delivery_tallies: DeliveryTallies;
  dispute_polls: DisputePolls;
  disputes: Disputes;
  documents: Documents;
  duber_places: DuberPlaces;
  earnings: Earnings;
  email_changes: EmailChanges;
  email_codes: EmailCodes;
  erasures: Erasures;
  events_cleared: EventsCleared;
  export_files: ExportFiles;
  exports: Exports;
  file_contents: FileContents;
  files: Files;
  handover_confirmations: HandoverConfirmations;
  handovers: Handovers;
  holds: Holds;
  keys: Keys;
  known_devices: KnownDevices;
  ledger_entries: LedgerEntries;
  ledger_lines: LedgerLines;
  ledger_tallies: LedgerTallies;
  live_events: LiveEvents;
  missed_promises: MissedPromises;
  nearby_notices: NearbyNotices;
  notification_choices: NotificationChoices;
  notifications: Notifications;
  operator_caps: OperatorCaps;
  operator_invitations: OperatorInvitations;
  operator_sessions: OperatorSessions;
  operators: Operators;
  order_lines: OrderLines;
  order_tallies: OrderTallies;
  orders: Orders;
  passkey_challenges: PasskeyChallenges;
  passkeys: Passkeys;
  payments: Payments;
  payout_accounts: PayoutAccounts;
  payout_files: PayoutFiles;
  payout_holds: PayoutHolds;
  payout_lines: PayoutLines;
  payout_runs: PayoutRuns;
  payouts: Payouts;
  pins: Pins;
  policies: Policies;
  prices: Prices;
  promo_uses: PromoUses;
  promos: Promos;
  proposals: Proposals;
  push_subscriptions: PushSubscriptions;
  rate_limits: RateLimits;
  reconciled_days: ReconciledDays;
  reconciled_ids: ReconciledIds;
  refunds: Refunds;
  requests: Requests;
  requirements: Requirements;
  reset_links: ResetLinks;
  reset_requests: ResetRequests;
  restores: Restores;
  reviews: Reviews;
  same_people: SamePeople;
  saved_cards: SavedCards;
  schema_version: SchemaVersion;
  scrub_days: ScrubDays;
  scrub_days_off: ScrubDaysOff;
  scrub_places: ScrubPlaces;
  scrub_weeks: ScrubWeeks;
  second_factors: SecondFactors;
  sessions: Sessions;
  settings: Settings;
  sign_in_attempts: SignInAttempts;
  steps: Steps;
  suspensions: Suspensions;
  tax_ids: TaxIds;
  timers: Timers;
  users: Users;
  webhook_events: WebhookEvents;
  weighings: Weighings;
  window_places: WindowPlaces;
  zone_areas: ZoneAreas;
  zone_prices: ZonePrices;
  zones: Zones;
};
