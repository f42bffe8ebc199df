/** What a town may offer besides wash and fold. It cannot be ordered in the app yet: the pages that everybody reads name it. */
export const OTHER_SERVICES = ['dry-cleaning', 'delicate', 'specialty'] as const;
export type OtherService = (typeof OTHER_SERVICES)[number];

// spec 1
export const SERVICE_NAMES: Readonly<Record<'wash-and-fold' | OtherService, string>> = {
  'wash-and-fold': 'Wash and fold',
  'dry-cleaning': 'Dry cleaning',
  delicate: 'Delicate care',
  specialty: 'Specialty',
};
