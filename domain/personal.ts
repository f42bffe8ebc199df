/**
 * Rows of a table that are about a person, and what becomes of their columns. A way to the person is a column with their id (`user_id`),
 * or a column that another table leads from: `order_id>orders.id.bud_id` are the rows whose `order_id` is the `id` of an order whose
 * `bud_id` is the person.
 */
export type PersonalPart = {
  /** The ways to the rows of a person: they are in the copy of their data. Without any, the columns are about operators. */
  readonly whose?: readonly string[];
  /** The ways to rows that are about the person as well, but were written by others: they are in nobody's copy. */
  readonly about?: readonly string[];
  /** The whole row goes when the person is erased. */
  readonly isDeleted?: true;
  /** Columns, separated by spaces. Emptied when the person is erased. */
  readonly erase?: string;
  /** Places, which are then known to about a kilometer. */
  readonly blur?: string;
  /** What the law keeps: money and what it was paid for, and who did what. */
  readonly keep?: string;
  /** Those of these columns that nobody can read, such as digests: a copy only names them. */
  readonly secret?: string;
};

export type PersonalTable = {
  /** Columns that are not personal. */
  readonly plain?: string;
  readonly parts?: readonly PersonalPart[];
};

const OF_ORDER = ['order_id>orders.id.bud_id', 'order_id>orders.id.scrub_id', 'order_id>deliveries.order_id.duber_id'];
/** The ways from a column with the id of an order, a delivery or a case to all people of it. */
const subjectsAt = (column: string, cast = '') =>
  [
    ...['orders.id#.bud_id', 'orders.id#.scrub_id', 'deliveries.order_id#.duber_id'],
    ...['deliveries.id#.bud_id', 'deliveries.id#.scrub_id', 'deliveries.id#.duber_id'],
    ...['case_people.case_id#.user_id', ...OF_ORDER.map((way) => `cases.id#.${way}`)],
  ].map((path) => `${column}>${path.replace('#', cast)}`);
const SUBJECTS = subjectsAt('subject_id');
const SUBJECTS_AS_TEXT = ['subject_id>users.id::text.id', ...subjectsAt('subject_id', '::text')];
/** Also the answers to others that name the person: to the Bud who placed an order, the one without a subject of its own. */
const REQUESTS_ABOUT = ['actor_id', ...SUBJECTS, 'actor_id>orders.bud_id.scrub_id'];

/** Every column of every table. A test compares it with the database. */
export const PERSONAL_DATA: Readonly<Record<string, PersonalTable>> = {
  schema_version: { plain: 'one_row number' },
  users: {
    parts: [
      {
        whose: ['id'],
        erase: 'fullname email email_key phone password_hash is_active',
        keep: 'id role rating_sum rating_count created_at',
        secret: 'password_hash',
      },
    ],
  },
  sessions: {
    parts: [
      {
        whose: ['user_id'],
        isDeleted: true,
        erase: 'token_hash user_id created_at last_used_at network browser device',
        secret: 'token_hash device',
      },
    ],
  },
  known_devices: { parts: [{ whose: ['user_id'], isDeleted: true, erase: 'user_id kind value last_seen_at' }] },
  sign_in_attempts: {
    parts: [
      { whose: ['email_key>users.email_key.id'], isDeleted: true, erase: 'email_key origin failures blocked_until' },
    ],
  },
  email_codes: {
    parts: [
      {
        whose: ['email_key>users.email_key.id'],
        isDeleted: true,
        erase: 'email_key code_hash expires_at tries_left sent_at window_from sent_in_window',
        secret: 'code_hash',
      },
    ],
  },
  email_changes: {
    parts: [
      {
        whose: ['user_id'],
        isDeleted: true,
        erase:
          'user_id new_email new_email_key old_code_hash new_code_hash expires_at tries_left sent_at window_from sent_in_window',
        secret: 'old_code_hash new_code_hash',
      },
    ],
  },
  reset_requests: {
    parts: [
      { whose: ['email_key>users.email_key.id'], isDeleted: true, erase: 'id email_key asked_at network device' },
    ],
  },
  reset_links: {
    parts: [
      { whose: ['user_id'], isDeleted: true, erase: 'user_id token_hash created_at expires_at', secret: 'token_hash' },
    ],
  },
  rate_limits: { plain: 'kind ends_at count', parts: [{ erase: 'network' }] },
  operators: { parts: [{ keep: 'id fullname email email_key password_hash is_demo created_at ended_at' }] },
  operator_caps: { parts: [{ keep: 'operator_id cap given_at' }] },
  operator_invitations: { parts: [{ keep: 'token_hash email caps operator_id invited_by created_at expires_at' }] },
  operator_sessions: {
    parts: [{ keep: 'token_hash operator_id created_at last_used_at code_at network browser ended_at' }],
  },
  passkeys: {
    parts: [{ keep: 'id operator_id credential_id public_key counter transports site name created_at last_used_at' }],
  },
  passkey_challenges: { parts: [{ keep: 'challenge_hash operator_id purpose expires_at' }] },
  second_factors: { parts: [{ keep: 'operator_id sealed_secret last_step added_at' }] },
  approvals: {
    plain: 'id action subject_kind subject_id params cents asked_at status decided_at stop_hash stop_mail body_hash',
    parts: [{ about: [...SUBJECTS_AS_TEXT], erase: 'reason body about words' }, { keep: 'asked_by decided_by' }],
  },
  audit: {
    plain: 'id at action subject_kind subject_id cents request_id approval_id hash',
    parts: [
      { about: [...SUBJECTS_AS_TEXT], erase: 'reason details', secret: 'sealed' },
      { keep: 'operator_id operator_name approved_by approved_by_name sealed' },
    ],
  },
  audit_head: { plain: 'one_row id hash' },
  suspensions: {
    parts: [
      { whose: ['user_id'], erase: 'reason', keep: 'id user_id status from_at until_at ended_at' },
      { keep: 'set_by ended_by' },
    ],
  },
  holds: {
    parts: [
      {
        whose: ['user_id'],
        erase: 'reason',
        keep: 'id user_id kind suspension_id from_at lifted_at of_admission of_erasure',
      },
      { keep: 'set_by lifted_by' },
    ],
  },
  erasures: {
    plain: 'step',
    parts: [{ whose: ['id'], keep: 'id status since asked_at due_at sealed', secret: 'sealed' }, { keep: 'asked_by' }],
  },
  exports: {
    parts: [{ whose: ['user_id'], isDeleted: true, erase: 'id user_id asked_at due_at tries ready_at failed_at' }],
  },
  export_files: {
    parts: [
      { about: ['export_id>exports.id.user_id'], isDeleted: true, erase: 'export_id position name crc bytes content' },
    ],
  },
  settings: { plain: 'id name value valid_from', parts: [{ keep: 'set_by' }] },
  policies: { plain: 'id name value valid_from', parts: [{ keep: 'set_by' }] },
  prices: { plain: 'item valid_from value tenths' },
  zones: { plain: 'id name created_at' },
  zone_areas: { plain: 'zone_id valid_from corners', parts: [{ keep: 'set_by' }] },
  zone_prices: { plain: 'zone_id item valid_from value tenths' },
  closures: {
    plain: 'id zone_id from_at until_at words added_at taken_back_at',
    parts: [{ keep: 'added_by taken_back_by' }],
  },
  broadcasts: {
    plain: 'id to_role title words is_urgent at people last_user written written_at',
    parts: [{ keep: 'sent_by' }],
  },
  requirements: { plain: 'role kind needed renew_days' },
  restores: { plain: 'restored_at compared_at' },
  keys: { plain: 'name public_key secret created_at' },
  addresses: {
    parts: [{ whose: ['user_id'], isDeleted: true, erase: 'id user_id label address latitude longitude created_at' }],
  },
  scrub_places: {
    parts: [{ whose: ['scrub_id'], isDeleted: true, erase: 'scrub_id address latitude longitude band active' }],
  },
  duber_places: {
    parts: [
      {
        whose: ['duber_id'],
        isDeleted: true,
        erase: 'duber_id latitude longitude band home_latitude home_longitude moves moves_since',
      },
    ],
  },
  files: {
    parts: [
      {
        whose: ['owner_id'],
        erase: 'sha256 sent request_key at',
        keep: 'id owner_id bytes type width height about_kind about_id kept_at gone_at',
        secret: 'sha256 sent request_key',
      },
    ],
  },
  file_contents: {
    parts: [{ whose: ['file_id>files.id.owner_id'], isDeleted: true, erase: 'file_id content', secret: 'content' }],
  },
  admissions: {
    plain: 'step',
    parts: [
      { whose: ['id'], keep: 'id role status since works_until decided_at asked_at asked_for' },
      { keep: 'decided_by' },
    ],
  },
  admission_sweeps: { plain: 'one_row target begun_at is_first_pass last_of_pass done_target' },
  documents: {
    parts: [
      {
        whose: ['user_id'],
        erase: 'state expires_on last_day why erase_at',
        keep: 'id user_id kind file_id sent_at decided_at',
      },
      { keep: 'decided_by' },
    ],
  },
  orders: {
    plain: 'zone_id',
    parts: [
      {
        whose: ['bud_id', 'scrub_id'],
        keep: 'id bud_id scrub_id status load_size self_delivery self_pickup load_price total_price distance_m created_at completed_at round number leave_at_door given_back_at handed_over_at closed_at ways_paid_by ceiling_size priced_at way_home tax_rate holder_role holder_id holder_delivery held_since pickup_from pickup_until return_from return_until turnaround promised_at',
      },
      { whose: ['bud_id'], keep: 'discount promo_code' },
      { whose: ['bud_id'], blur: 'bud_address' },
      { whose: ['bud_id'], about: ['scrub_id'], erase: 'instructions' },
      { whose: ['scrub_id'], blur: 'scrub_address' },
    ],
  },
  order_lines: {
    parts: [
      {
        whose: ['order_id>orders.id.bud_id', 'order_id>orders.id.scrub_id'],
        keep: 'order_id item cents earner is_taxed',
      },
    ],
  },
  deliveries: {
    parts: [
      {
        whose: ['bud_id', 'scrub_id', 'duber_id'],
        keep: 'id order_id delivery_type status bud_id scrub_id duber_id price distance_m created_at delivered_at attempt has_laundry round paid_by stopped_at lost_at due_from due_until',
      },
      { whose: ['left_by'], keep: 'left_by left_at' },
      { whose: ['carrier_id'], keep: 'carrier_id' },
      { about: ['bud_id', 'scrub_id'], blur: 'pickup_latitude pickup_longitude pickup_band' },
    ],
  },
  delivery_positions: {
    parts: [
      {
        whose: ['delivery_id>deliveries.id.duber_id'],
        isDeleted: true,
        erase: 'delivery_id latitude longitude at accuracy',
      },
    ],
  },
  weighings: {
    parts: [
      {
        whose: ['by_id', 'order_id>orders.id.bud_id'],
        keep: 'id order_id round scale by_id delivery_id grams splits at',
      },
    ],
  },
  corrections: {
    parts: [
      {
        whose: ['order_id>orders.id.bud_id', 'order_id>orders.id.scrub_id'],
        keep: 'order_id from_size to_size from_cents to_cents splits state at answered_at answered_by contested_at',
      },
    ],
  },
  bags: { plain: 'code order_id n made_at', parts: [{ whose: ['made_by'], keep: 'made_by' }] },
  pins: {
    parts: [
      {
        about: ['order_id>orders.id.bud_id', 'order_id>orders.id.scrub_id'],
        isDeleted: true,
        erase: 'order_id round side pin tries made_at',
      },
    ],
  },
  handovers: {
    parts: [
      {
        whose: ['giver_id', 'taker_id'],
        keep: 'order_id position follows id round delivery_id attempt kind giver_role giver_id taker_role taker_id bags proof takes_back taken_at at',
      },
      {
        whose: ['giver_id', 'taker_id'],
        about: ['order_id>orders.id.bud_id', 'order_id>orders.id.scrub_id'],
        erase: 'latitude longitude',
      },
    ],
  },
  handover_confirmations: { parts: [{ whose: ['by_id'], keep: 'order_id position by_id bags at' }] },
  reviews: {
    parts: [
      {
        whose: ['from_user_id', 'to_user_id'],
        erase: 'message',
        keep: 'id order_id delivery_id type rating from_user_id to_user_id created_at',
      },
    ],
  },
  payments: {
    plain: 'version_token failure tries due_at look_at concern fee_tries',
    parts: [
      {
        whose: ['bud_id'],
        erase: 'draft source_id customer_id verification_token idempotency_key body_hash card_brand card_last4',
        keep: 'order_id bud_id state amount square_id refunded created_at updated_at settle_when_captured held reduced replaces card_fee discount discount_reduced',
        secret: 'source_id customer_id verification_token body_hash',
      },
    ],
  },
  window_places: { plain: 'kind starts_at zone_id taken' },
  scrub_days: { parts: [{ whose: ['scrub_id'], keep: 'scrub_id day orders pounds' }] },
  bookings: {
    parts: [
      {
        whose: ['bud_id', 'scrub_id'],
        keep: 'order_id bud_id scrub_id zone_id pickup_starts return_starts day pounds waiting_slot',
      },
    ],
  },
  scrub_weeks: {
    parts: [
      {
        whose: ['scrub_id'],
        isDeleted: true,
        erase: 'scrub_id hours pounds_a_day orders_a_day sizes notice_hours feed_hash updated_at',
        secret: 'feed_hash',
      },
    ],
  },
  scrub_days_off: {
    parts: [{ whose: ['scrub_id'], isDeleted: true, erase: 'id scrub_id from_on until_on added_at' }],
  },
  proposals: {
    parts: [
      {
        whose: ['order_id>orders.id.bud_id', 'order_id>orders.id.scrub_id'],
        erase: 'words',
        keep: 'id order_id pickup_from pickup_until return_from return_until by_role by_id reason made_at answer_by answer answered_at',
      },
    ],
  },
  missed_promises: {
    parts: [
      {
        whose: ['order_id>orders.id.bud_id', 'liable_user'],
        keep: 'order_id promised_at pickup_until return_from cents state liable liable_user holder_role reason back_at refund_id found_at ended_at',
      },
    ],
  },
  promos: {
    plain:
      'id code kind value max_discount min_total first_order_only starts_at ends_at max_uses max_uses_per_bud uses created_at ended_at',
    parts: [{ keep: 'created_by' }],
  },
  promo_uses: {
    parts: [{ whose: ['bud_id'], keep: 'order_id promo_id bud_id discount used_at returned_at card', secret: 'card' }],
  },
  refunds: {
    plain: 'square_refund_id failure tries due_at',
    parts: [
      {
        whose: ['order_id>payments.order_id.bud_id', 'liable_user'],
        about: ['order_id>orders.id.scrub_id'],
        erase: 'reason',
        keep: 'id order_id amount taxes state created_at updated_at discount',
      },
      { whose: ['liable_user'], keep: 'liable liable_user forgiven' },
    ],
  },
  webhook_events: { plain: 'id type received_at' },
  reconciled_days: {
    plain:
      'day state checked_at ours theirs counts differing differences is_known due_at tries failure progress is_early',
  },
  reconciled_ids: { plain: 'run square_id' },
  payouts: {
    parts: [
      {
        whose: ['user_id'],
        keep: 'id user_id period_end amount state method batch created_at sent_at returned_at return_entry',
      },
    ],
  },
  ledger_entries: {
    plain: 'written_in',
    parts: [{ whose: ['id>ledger_lines.entry_id.party'], keep: 'id kind order_id delivery_id refund_id payout_id at' }],
  },
  ledger_lines: { parts: [{ whose: ['party'], keep: 'entry_id position account party amount kind at' }] },
  adjustments: {
    plain: 'entry_id order_id',
    parts: [{ about: OF_ORDER, erase: 'reason' }, { keep: 'set_by' }],
  },
  earnings: {
    parts: [
      {
        whose: ['duber_id'],
        keep: 'delivery_id attempt duber_id kind cents order_id entry_id undone_by undone_at at from_order',
      },
      { whose: ['bearer_id'], keep: 'bearer_id' },
    ],
  },
  payout_lines: { parts: [{ whose: ['payout_id>payouts.id.user_id'], keep: 'entry_id position payout_id' }] },
  payout_holds: {
    parts: [
      {
        whose: ['user_id'],
        keep: 'id order_id account user_id reason case_id cents entry_id since until ended_at earning_entry',
      },
    ],
  },
  card_customers: {
    plain: 'tries due_at',
    parts: [{ whose: ['bud_id'], keep: 'bud_id square_id', secret: 'square_id' }],
  },
  saved_cards: {
    plain: 'is_asked tries due_at',
    parts: [
      {
        whose: ['bud_id'],
        erase: 'brand last4 exp_month exp_year',
        keep: 'id bud_id state square_payment_id square_card_id consent used_at created_at updated_at',
        secret: 'square_card_id',
      },
    ],
  },
  payout_accounts: {
    parts: [
      {
        whose: ['user_id'],
        isDeleted: true,
        erase: 'user_id method sealed last4 changed_at mark',
        secret: 'sealed mark',
      },
    ],
  },
  payout_runs: { plain: 'period_end finished_at' },
  payout_files: { plain: 'batch format day number made_at', parts: [{ keep: 'sealed' }] },
  tax_ids: {
    parts: [
      {
        whose: ['user_id'],
        erase: 'last4 mark',
        keep: 'user_id kind country sealed changed_at',
        secret: 'sealed mark',
      },
    ],
  },
  cases: {
    parts: [
      {
        whose: ['opened_by', 'about_user', 'id>case_people.case_id.user_id'],
        keep: 'id no kind reason order_id delivery_id opened_by about_user about_role status priority steps offer offer_cents decided_at decided_by contested_at created_at',
      },
    ],
  },
  case_people: { parts: [{ whose: ['user_id'], keep: 'user_id case_id' }] },
  case_refunds: {
    parts: [{ whose: ['case_id>case_people.case_id.user_id'], keep: 'case_id position liable refund_id forgiven' }],
  },
  claim_items: {
    parts: [
      {
        whose: ['case_id>cases.id.opened_by'],
        about: ['case_id>case_people.case_id.user_id', ...OF_ORDER.map((way) => `case_id>cases.id.${way}`)],
        erase: 'what',
        keep: 'case_id n kind worth age_months asked decided liable',
      },
    ],
  },
  same_people: { parts: [{ about: ['one', 'other'], isDeleted: true, erase: 'one other case_id marks found_at' }] },
  steps: {
    plain: 'of_order of_delivery of_case',
    parts: [
      {
        whose: ['actor_id'],
        keep: 'subject_kind subject_id position attempt action status actor_role actor_id reason file_ids at taken_at counts_from is_proven id offer cents',
      },
      { whose: ['actor_id'], about: [...SUBJECTS], erase: 'words latitude longitude' },
      { keep: 'actor_name' },
    ],
  },
  disputes: {
    plain: 'square_id network_state network_version prepared_at call call_due_at tries failure debit_entry end_entry',
    parts: [
      { whose: ['order_id>orders.id.bud_id'], keep: 'id order_id cents reason status due_at seen_at sent_at ended_at' },
      { whose: ['liable_user'], keep: 'liable_account liable_user' },
      { about: ['order_id>orders.id.bud_id', 'order_id>orders.id.scrub_id'], erase: 'evidence' },
      { keep: 'prepared_by' },
    ],
  },
  dispute_polls: { plain: 'one_row due_at' },
  order_tallies: { parts: [{ whose: ['person_id'], keep: 'person_id status orders total_price load_price' }] },
  delivery_tallies: { parts: [{ whose: ['person_id'], keep: 'person_id status deliveries price distance_m' }] },
  ledger_tallies: { parts: [{ whose: ['party'], keep: 'party account kind amount' }] },
  live_events: {
    plain: 'tx id entity entity_id status at band written_in',
    parts: [{ erase: 'people latitude longitude' }],
  },
  events_cleared: { plain: 'only_one tx' },
  notifications: {
    parts: [
      {
        whose: ['user_id', 'recipient>users.email.id', 'recipient>users.email_key.id'],
        isDeleted: true,
        erase:
          'kind about channel target user_id state tries due_at failure created_at done_at recipient rendered_mail',
        secret: 'rendered_mail',
      },
    ],
  },
  notification_choices: { parts: [{ whose: ['user_id'], isDeleted: true, erase: 'user_id kind mail push' }] },
  push_subscriptions: {
    parts: [
      {
        whose: ['user_id'],
        isDeleted: true,
        erase:
          'id user_id session_hash endpoint endpoint_hash p256dh auth agent created_at last_used_at unanswered unanswered_since',
        secret: 'session_hash endpoint endpoint_hash p256dh auth',
      },
    ],
  },
  nearby_notices: { plain: 'delivery_id created_at', parts: [{ erase: 'latitude longitude' }] },
  requests: {
    parts: [
      { about: [...REQUESTS_ABOUT], isDeleted: true, erase: 'actor_id key_hash call subject_id body_hash answer at' },
    ],
  },
  timers: { plain: 'subject_kind subject_id action due_at armed_by_step' },
};

/** The names in a list of columns. */
export const columnsIn = (list: string | undefined): readonly string[] => list?.split(' ') ?? [];

/** The personal columns of a part. */
export const personalColumnsOf = ({ erase, blur, keep }: PersonalPart): readonly string[] =>
  [erase, blur, keep].flatMap(columnsIn);
