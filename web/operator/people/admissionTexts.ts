import type { AdmissionStatus, DocumentState } from '../../../domain/admissions.ts';

export const ADMISSION_TEXTS: Record<AdmissionStatus, string> = {
  new: 'Has not sent everything',
  waiting: 'Waits for you',
  asked: 'Was asked again',
  active: 'Admitted',
  lapsed: 'Something has expired or is missing',
  refused: 'Refused',
};

export const DOCUMENT_TEXTS: Record<DocumentState, string> = {
  waiting: 'To be looked at',
  accepted: 'Accepted',
  'asked-again': 'Asked for again',
  refused: 'Refused',
  expired: 'Expired',
  replaced: 'Replaced',
};
