import { signUp } from '../../contract/accounts.ts';
import type { Role } from '../../domain/accounts.ts';
import type { PickedLocation } from '../places/useLocationDraft.ts';
import { tabStore } from '../storage/stores.ts';
import { type FormErrors, validateFields } from '../ui/useForm.ts';
import { confirmationError } from './passwordErrors.ts';

export type SignUpValues = {
  role: Role | '';
  fullname: string;
  email: string;
  emailOtp: string;
  password: string;
  confirmPassword: string;
  phone: string;
  address: string;
  location: PickedLocation | undefined;
};

export type SignUpDraft = { step: 1 | 2 | 3; otpSentTo: string; values: SignUpValues };

export const EMPTY_SIGN_UP: SignUpValues = {
  role: '',
  fullname: '',
  email: '',
  emailOtp: '',
  password: '',
  confirmPassword: '',
  phone: '',
  address: '',
  location: undefined,
};

const STORAGE_KEY = 'rubadub-sign-up';

/** What was typed before a refresh. Passwords are never stored, so they are asked for again on step 2. */
export function readDraft(): SignUpDraft {
  try {
    const kept = JSON.parse(tabStore.read(STORAGE_KEY) ?? '') as SignUpDraft;
    const values = { ...EMPTY_SIGN_UP, ...kept.values, password: '', confirmPassword: '' };
    return { step: kept.step === 1 ? 1 : 2, otpSentTo: kept.otpSentTo, values };
  } catch {
    return { step: 1, otpSentTo: '', values: EMPTY_SIGN_UP };
  }
}

/** A role that was chosen before the form opened, such as on the landing page. */
export function chooseRole(draft: SignUpDraft, role: Role | undefined): SignUpDraft {
  return role === undefined ? draft : { ...draft, values: { ...draft.values, role } };
}

export function saveDraft({ step, otpSentTo, values }: SignUpDraft): void {
  const { password: _, confirmPassword: __, ...kept } = values;
  tabStore.write(STORAGE_KEY, JSON.stringify({ step, otpSentTo, values: kept }));
}

export function clearDraft(): void {
  tabStore.write(STORAGE_KEY, null);
}

const bodySchema = signUp.body;
const roleStepSchema = bodySchema.pick({ role: true });
const accountStepSchema = bodySchema.pick({ fullname: true, email: true, emailOtp: true, password: true });
const additionalInfoSchema = bodySchema.pick({ phone: true });

/** What must be fixed before leaving a step (spec 5), in the order of its fields. */
export function stepErrors(step: SignUpDraft['step'], values: SignUpValues): FormErrors {
  if (step === 1) return validateFields(roleStepSchema, { role: values.role || undefined });
  if (step === 2) return accountErrors(values);
  return additionalInfoErrors(values);
}

function accountErrors({ fullname, email, emailOtp, password, confirmPassword }: SignUpValues): FormErrors {
  const { fullname: name, ...rest } = validateFields(accountStepSchema, { fullname, email, emailOtp, password });
  const confirmation = confirmationError(password, confirmPassword);
  return { ...(name ? { fullname: name } : {}), ...rest, ...(confirmation ? { confirmPassword: confirmation } : {}) };
}

function additionalInfoErrors({ phone, address, location }: SignUpValues): FormErrors {
  const text = bodySchema.shape.address.shape.address.safeParse(address).error?.issues[0]?.message;
  return {
    ...(text ? { address: text } : {}),
    ...(location ? {} : { location: 'Please select location on map' }),
    ...validateFields(additionalInfoSchema, { phone }),
  };
}

/** The request body (spec 7.1). The values must have no errors. */
export function toSignUpBody({ role, location, address, phone, ...values }: SignUpValues) {
  if (role === '' || !location) throw new Error('The sign-up is not complete');
  const { email, emailOtp, fullname, password } = values;
  const place = { address, label: 'Default', latitude: location.lat, longitude: location.lng };
  return { email, emailOtp, fullname, password, role, phone: phone || null, address: place };
}
