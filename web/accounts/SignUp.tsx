import { Button } from '@mantine/core';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { ROLES, type Role } from '../../domain/accounts.ts';
import { confirmStreetOfPin } from '../places/streetDistance.ts';
import { signUp } from '../session/session.ts';
import frame from '../ui/AuthPage.module.css';
import { AuthPage } from '../ui/AuthPage.tsx';
import { DescriptionItem, DescriptionList } from '../ui/DescriptionList.tsx';
import { Stepper } from '../ui/Stepper.tsx';
import { serverErrorsOf, useForm } from '../ui/useForm.ts';
import { RoleCards } from './RoleCards.tsx';
import styles from './SignUp.module.css';
import { AccountFields, AdditionalInfoFields } from './SignUpFields.tsx';
import {
  chooseRole,
  clearDraft,
  readDraft,
  type SignUpDraft,
  type SignUpValues,
  saveDraft,
  stepErrors,
  toSignUpBody,
} from './signUpDraft.ts';
import { isCodeSent, useOtp } from './useOtp.ts';

const STEP_NAMES = ['Choose role', 'Account details', 'Additional info'] as const;

/** The role of the link that led here. */
function useAskedRole(): Role | undefined {
  const [params] = useSearchParams();
  return ROLES.find((role) => role === params.get('role'));
}

/** The wizard's state and actions. */
function useSignUp() {
  const asked = useAskedRole();
  const [draft] = useState(() => chooseRole(readDraft(), asked));
  const [step, setStep] = useState<SignUpDraft['step']>(draft.step);
  const form = useForm<SignUpValues>(draft.values, (values) => stepErrors(step, values));
  const otp = useOtp(draft.otpSentTo);
  const [isSending, setSending] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { values } = form;
  useEffect(() => saveDraft({ step, otpSentTo: otp.sentTo, values }), [step, otp.sentTo, values]);

  const create = async () => {
    setSending(true);
    setFailure(undefined);
    if (values.location && !(await confirmStreetOfPin(values.address, values.location))) return setSending(false);
    try {
      await signUp(toSignUpBody(values));
      clearDraft();
    } catch (error) {
      form.setErrors(serverErrorsOf(error));
      setFailure(error instanceof Error ? error.message : String(error));
      setSending(false);
    }
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isSending || !form.isValid()) return;
    if (step === 3) create();
    else setStep((step + 1) as SignUpDraft['step']);
  };
  return { step, setStep, form, otp, isSending, failure, submit };
}

/** spec 2.5: three steps. Going back or reloading keeps everything except the passwords. */
export function SignUp() {
  const { step, setStep, form, otp, isSending, failure, submit } = useSignUp();
  const navigate = useNavigate();
  useFocusOnStep(step);
  const back = () => (step === 1 ? navigate('/') : setStep((step - 1) as SignUpDraft['step']));
  const { values } = form;
  return (
    <AuthPage title="Create your account" line="Three short steps, and you’re in." tab="Sign Up" isWide>
      <Stepper steps={STEP_NAMES} current={step} onBack={(done) => setStep(done as SignUpDraft['step'])} />
      <div className={styles.columns}>
        <form ref={form.form} className={frame.form} onSubmit={submit} noValidate aria-label={STEP_NAMES[step - 1]}>
          {step === 1 && (
            <RoleCards value={values.role} onChange={(role) => form.set('role', role)} error={form.errors.role} />
          )}
          {step === 2 && <AccountFields form={form} otp={otp} />}
          {step === 3 && <AdditionalInfoFields form={form} />}
          <StepButtons step={step} onBack={back} isSending={isSending} failure={failure} />
        </form>
        <Summary values={values} isCodeSent={isCodeSent(otp.sentTo, values.email)} />
      </div>
      <div className={frame.more}>
        <Link className={frame.link} to="/login">
          Already have an account? Sign in
        </Link>
      </div>
    </AuthPage>
  );
}

function StepButtons({
  step,
  onBack,
  isSending,
  failure,
}: {
  step: SignUpDraft['step'];
  onBack: () => void;
  isSending: boolean;
  failure: string | undefined;
}) {
  return (
    <>
      <div className={styles.buttons}>
        <Button variant="default" onClick={onBack}>
          Back
        </Button>
        <Button type="submit" loading={isSending}>
          {step === 3 ? 'Create Account' : 'Next'}
        </Button>
      </div>
      {failure && (
        <p className={frame.wrong} role="alert">
          {failure}
        </p>
      )}
    </>
  );
}

/** A new step starts at the top, visually and for screen readers. */
function useFocusOnStep(step: number): void {
  const last = useRef(step);
  useEffect(() => {
    if (last.current === step) return;
    last.current = step;
    window.scrollTo({ top: 0 });
    const first = document.querySelector<HTMLElement>('form input:not([disabled])');
    first?.focus();
  }, [step]);
}

function Summary({ values, isCodeSent }: { values: SignUpValues; isCodeSent: boolean }) {
  const facts = [
    ['Role', values.role || 'Not chosen yet'],
    ['Full Name', values.fullname.trim() || '–'],
    ['Email', values.email.trim() || '–'],
    ['Email Verified', isCodeSent ? 'Yes (code sent)' : 'Pending'],
  ] as const;
  return (
    <aside className={styles.summary} aria-label="Summary">
      <h2>Summary</h2>
      <DescriptionList isColumn>
        {facts.map(([name, value]) => (
          <DescriptionItem key={name} name={name}>
            {value}
          </DescriptionItem>
        ))}
      </DescriptionList>
    </aside>
  );
}
