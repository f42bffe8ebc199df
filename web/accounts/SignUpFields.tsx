import { Button, TextInput } from '@mantine/core';
import { OTP_LENGTH } from '../../domain/accounts.ts';
import { LocationField } from '../places/LocationField.tsx';
import { CodeInput } from '../ui/CodeInput.tsx';
import { PasswordField } from '../ui/PasswordField.tsx';
import type { FormErrors, useForm } from '../ui/useForm.ts';
import { NewPasswordField } from './NewPasswordField.tsx';
import { PhoneField } from './PhoneField.tsx';
import styles from './SignUp.module.css';
import { StandInInbox } from './StandInInbox.tsx';
import type { SignUpValues } from './signUpDraft.ts';
import { isCodeSent, type useOtp } from './useOtp.ts';

type Form = ReturnType<typeof useForm<SignUpValues>>;

/** Step 2: who you are, with a code that proves the e-mail address. */
export function AccountFields({ form, otp }: { form: Form; otp: ReturnType<typeof useOtp> }) {
  const isSent = isCodeSent(otp.sentTo, form.values.email);
  const mayType = isSent || isCodeSent(otp.heldBy, form.values.email);
  const failure = otp.failureFor(form.values.email);
  const send = async () => {
    const wrong = await otp.send(form.values.email);
    if (wrong) form.setErrors({ email: wrong, ...withoutEmail(form.errors) });
  };
  return (
    <>
      <TextInput label="Full Name" autoComplete="name" {...form.bind('fullname')} />
      <div className={styles.row}>
        <TextInput label="Email" type="email" autoComplete="email" inputMode="email" {...form.bind('email')} />
        <Button variant="outline" onClick={send} loading={otp.isSending}>
          {otp.sentTo === '' ? 'Send OTP' : 'Resend OTP'}
        </Button>
      </div>
      {failure && (
        <p className={styles.wrong} role="alert">
          {failure}
        </p>
      )}
      {isSent && (
        <p className={styles.note} role="status">
          We sent a code to {otp.sentTo}. It expires in 10 minutes.
          <StandInInbox to={otp.sentTo} />
        </p>
      )}
      <CodeInput
        label="OTP Code"
        placeholder={mayType ? '' : 'Send the OTP first'}
        length={OTP_LENGTH}
        disabled={!mayType}
        {...form.bind('emailOtp')}
        onChange={(code) => form.set('emailOtp', code)}
      />
      <NewPasswordField label="Password" {...form.bind('password')} />
      <PasswordField label="Confirm Password" autoComplete="new-password" {...form.bind('confirmPassword')} />
    </>
  );
}

// The field with the error comes first, because the first one gets the focus.
function withoutEmail({ email: _, ...others }: FormErrors): FormErrors {
  return others;
}

const CALLERS = { Bud: 'your driver', Scrub: 'Buds and Dubers', Duber: 'Buds and Scrubs' } as const;

/** Step 3: the address, and a phone number. */
export function AdditionalInfoFields({ form }: { form: Form }) {
  return (
    <>
      <TextInput label="Address" autoComplete="street-address" {...form.bind('address')} />
      <LocationField
        value={form.values.location}
        error={form.errors.location}
        onChange={(picked) => form.set('location', picked)}
        street={form.values.address}
        onStreet={(street) => form.set('address', street)}
      />
      <PhoneField
        hint={`Optional, so that ${CALLERS[form.values.role || 'Bud']} can reach you`}
        value={form.values.phone}
        error={form.errors.phone}
        onChange={(phone) => form.set('phone', phone)}
      />
    </>
  );
}
