import BasePhoneInput, { isValidPhoneNumber } from 'react-phone-number-input/min';
import { setPhoneValidator } from '../../contract/fields.ts';
import styles from './PhoneInput.module.css';
import { phoneError } from './phoneError.ts';

const PHONE_MAX_LENGTH = 250; // spec 5

// From here on the contract's phone rule checks against every country's numbering plan, as on the server.
setPhoneValidator((value) => isValidPhoneNumber(value));

/** The country picker with its flag, and the number next to it. */
export function PhoneInput({
  id,
  value,
  onChange,
  isWrong,
}: {
  id: string;
  value: string;
  onChange: (value: string) => void;
  isWrong: boolean;
}) {
  const fault = isWrong ? phoneError(value) : undefined;
  return (
    <>
      <BasePhoneInput
        className={`${styles.phone} ${isWrong ? styles.wrong : ''}`}
        id={id}
        name="phone"
        defaultCountry="US"
        flagUrl="/flags/{XX}.svg"
        autoComplete="tel"
        maxLength={PHONE_MAX_LENGTH}
        aria-invalid={isWrong}
        aria-describedby={isWrong ? `${id}-error ${id}-fault` : undefined}
        value={value}
        onChange={(next) => onChange(next ?? '')}
      />
      {fault && (
        <p id={`${id}-fault`} className={styles.fault}>
          {fault}
        </p>
      )}
    </>
  );
}
