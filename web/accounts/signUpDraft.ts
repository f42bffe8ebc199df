import { signUp } from '../../contract/accounts.ts';
import type { Role } from '../../domain/accounts.ts';
import { type Errors, errorsOf } from '../hooks/useForm.ts';
import type { PickedLocation } from '../places/LocationPicker.tsx';
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

export type Draft = { step: 1 | 2 | 3; otpSentTo: string; values: SignUpValues };

export const EMPTY: SignUpValues = {
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

const KEY = 'rubadub-sign-up';

/** What was typed before a refresh. Passwords are never kept, so whoever had given one gives it again on step 2. */
export function readDraft(): Draft {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? '') as Draft;
    const values = { ...EMPTY, ...kept.values, password: '', confirmPassword: '' };
    return { step: kept.step === 1 ? 1 : 2, otpSentTo: kept.otpSentTo, values };
  } catch {
    return { step: 1, otpSentTo: '', values: EMPTY };
  }
}

export function keepDraft({ step, otpSentTo, values }: Draft): void {
  const { password: _, confirmPassword: __, ...kept } = values;
  sessionStorage.setItem(KEY, JSON.stringify({ step, otpSentTo, values: kept }));
}

export function forgetDraft(): void {
  sessionStorage.removeItem(KEY);
}

const BODY = signUp.body;
const RoleStep = BODY.pick({ role: true });
const AccountStep = BODY.pick({ fullname: true, email: true, emailOtp: true, password: true });
const ExtraStep = BODY.pick({ phone: true });

/** What keeps a step from being left (spec 5), in the order of its fields. */
export function stepErrors(step: Draft['step'], values: SignUpValues): Errors {
  if (step === 1) return errorsOf(RoleStep, { role: values.role || undefined });
  if (step === 2) return accountErrors(values);
  return extraErrors(values);
}

function accountErrors({ fullname, email, emailOtp, password, confirmPassword }: SignUpValues): Errors {
  const { fullname: name, ...rest } = errorsOf(AccountStep, { fullname, email, emailOtp, password });
  const confirmation = confirmationError(password, confirmPassword);
  return { ...(name ? { fullname: name } : {}), ...rest, ...(confirmation ? { confirmPassword: confirmation } : {}) };
}

function extraErrors({ phone, address, location }: SignUpValues): Errors {
  const text = BODY.shape.address.shape.address.safeParse(address).error?.issues[0]?.message;
  return {
    ...(text ? { address: text } : {}),
    ...(location ? {} : { location: 'Please select location on map' }),
    ...errorsOf(ExtraStep, { phone }),
  };
}

/** The call's body (spec 7.1); only for values whose steps have no errors. */
export function toBody({ role, location, address, phone, ...values }: SignUpValues) {
  if (role === '' || !location) throw new Error('The sign-up is not complete');
  const { email, emailOtp, fullname, password } = values;
  const place = { address, label: 'Default', latitude: location.lat, longitude: location.lng };
  return { email, emailOtp, fullname, password, role, phone: phone || null, address: place };
}
