import type { AdmissionStatus } from '../../../domain/admissions.ts';

export const ADMISSION_TEXTS: Record<AdmissionStatus, string> = {
  new: 'Has not sent everything',
  waiting: 'Waits for you',
  asked: 'Was asked again',
  active: 'Admitted',
  lapsed: 'Something has expired',
  refused: 'Refused',
};
