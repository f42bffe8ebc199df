// The objects of Square's API, in Square's spelling.

export type Money = { amount: number; currency: string };

export type ApiError = { category: string; code: string; detail: string; field?: string };

/** The outcome of charging the card: approved, or declined with one of Square's codes. */
export type ChargeOutcome =
  | 'OK'
  | 'GENERIC_DECLINE'
  | 'CVV_FAILURE'
  | 'ADDRESS_VERIFICATION_FAILURE'
  | 'INVALID_EXPIRATION'
  | 'INSUFFICIENT_FUNDS'
  | 'INSUFFICIENT_PERMISSIONS'
  | 'CARD_DECLINED_VERIFICATION_REQUIRED';

export type Card = {
  card_brand: string;
  last_4: string;
  exp_month: number;
  exp_year: number;
  fingerprint?: string;
  card_type: string;
  prepaid_type: string;
  bin?: string;
};

export type Customer = {
  id: string;
  created_at: string;
  updated_at: string;
  email_address?: string;
  reference_id?: string;
  creation_source: 'THIRD_PARTY';
  is_deleted?: true;
};

/** A card on file, and how charging the card ends. */
export type CardOnFile = {
  id: string;
  card: Card;
  customer_id: string;
  reference_id?: string;
  enabled: boolean;
  version: number;
  created_at: string;
  outcome: ChargeOutcome;
};

export type CardDetails = {
  status: 'AUTHORIZED' | 'CAPTURED' | 'VOIDED' | 'FAILED';
  card: Card;
  entry_method: 'KEYED' | 'ON_FILE';
  cvv_status: string;
  avs_status: string;
  auth_result_code?: string;
  statement_description: string;
  errors?: ApiError[];
  card_payment_timeline: { authorized_at?: string; captured_at?: string; voided_at?: string };
};

export type ProcessingFee = { effective_at: string; type: 'INITIAL' | 'ADJUSTMENT'; amount_money: Money };

export type Payment = {
  id: string;
  created_at: string;
  updated_at: string;
  amount_money: Money;
  tip_money?: Money;
  total_money: Money;
  app_fee_money?: Money;
  approved_money: Money;
  refunded_money?: Money;
  processing_fee?: ProcessingFee[];
  status: 'APPROVED' | 'COMPLETED' | 'CANCELED' | 'FAILED';
  delay_duration: string;
  delay_action: 'CANCEL' | 'COMPLETE';
  delayed_until: string;
  source_type: 'CARD';
  card_details: CardDetails;
  location_id: string;
  order_id: string;
  reference_id?: string;
  customer_id?: string;
  note?: string;
  buyer_email_address?: string;
  statement_description_identifier?: string;
  refund_ids?: string[];
  capabilities?: string[];
  receipt_number?: string;
  receipt_url?: string;
  application_details: { square_product: string; application_id: string };
  version_token: string;
};

export type Refund = {
  id: string;
  status: 'PENDING' | 'COMPLETED';
  payment_id: string;
  order_id: string;
  location_id: string;
  destination_type: 'CARD';
  amount_money: Money;
  app_fee_money?: Money;
  reason?: string;
  created_at: string;
  updated_at: string;
};

export type Dispute = {
  id: string;
  dispute_id: string;
  amount_money: Money;
  reason: string;
  state:
    | 'INQUIRY_EVIDENCE_REQUIRED'
    | 'INQUIRY_PROCESSING'
    | 'INQUIRY_CLOSED'
    | 'EVIDENCE_REQUIRED'
    | 'PROCESSING'
    | 'WON'
    | 'LOST'
    | 'ACCEPTED';
  due_at: string;
  disputed_payment: { payment_id: string };
  evidence_ids: string[];
  card_brand: string;
  created_at: string;
  updated_at: string;
  brand_dispute_id: string;
  version: number;
  location_id: string;
};

export type Evidence = {
  id: string;
  dispute_id: string;
  evidence_type: string;
  evidence_text: string;
  uploaded_at: string;
};

export type ApiResponse = { status: number; body: unknown };

/** Thrown when a request cannot be done. The error handler turns it into Square's answer. */
export class SquareRefusal extends Error {
  readonly status: number;
  readonly errors: ApiError[];

  constructor(status: number, error: ApiError) {
    super(`${error.code}: ${error.detail}`);
    this.status = status;
    this.errors = [error];
  }
}

export function refuse(code: string, detail: string, field?: string, status = 400): SquareRefusal {
  return new SquareRefusal(status, { category: 'INVALID_REQUEST_ERROR', code, detail, ...(field ? { field } : {}) });
}
