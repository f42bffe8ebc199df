// How card fields are formatted and validated in the form. Charging is checked elsewhere.

const BRANDS = [
  { name: 'AMERICAN_EXPRESS', starts: /^3[47]/, lengths: [15], cvv: 4 },
  { name: 'DISCOVER_DINERS', starts: /^3(?:0[0-5]|[689])/, lengths: [14], cvv: 3 },
  { name: 'JCB', starts: /^35/, lengths: [16], cvv: 3 },
  { name: 'VISA', starts: /^4/, lengths: [13, 16, 19], cvv: 3 },
  { name: 'MASTERCARD', starts: /^(?:5[1-5]|2[2-7])/, lengths: [16], cvv: 3 },
  { name: 'DISCOVER', starts: /^6(?:011|4|5)/, lengths: [16], cvv: 3 },
  { name: 'CHINA_UNIONPAY', starts: /^62/, lengths: [16, 17, 18, 19], cvv: 3, hasNoCheckDigit: true },
];
export const UNKNOWN = { name: 'OTHER_BRAND', lengths: [], cvv: 3 };

export const digitsOf = (text) => text.replace(/\D/g, '');
export const brandOf = (number) => BRANDS.find(({ starts }) => starts.test(digitsOf(number))) ?? UNKNOWN;

function passesLuhn(number) {
  const sum = [...number].reverse().reduce((total, digit, index) => {
    const value = Number(digit) * (index % 2 ? 2 : 1);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

function formatNumber(text) {
  const longest = brandOf(text).lengths.at(-1) ?? 19;
  const number = digitsOf(text).slice(0, longest);
  if (longest > 15) return number.replace(/(\d{4})(?=\d)/g, '$1 ');
  return [number.slice(0, 4), number.slice(4, 10), number.slice(10)].filter(Boolean).join(' ');
}

// A single 2 to 9, or a single digit before a slash, is a one-digit month. Years may be 30 or 2030.
function formatDate(text) {
  const typed = /^\s*(?:[2-9]|\d\s*\/)/.test(text) ? `0${digitsOf(text)}` : digitsOf(text);
  const year = typed.slice(2).replace(/^20(\d\d).*/, '$1');
  const hasSlash = year !== '' || /^\d\d?\s*\/$/.test(text.trim());
  return typed.slice(0, 2) + (hasSlash ? `/${year.startsWith('20') ? year.slice(0, 4) : year.slice(0, 2)}` : '');
}

export function readDate(text) {
  const [month = '', year = ''] = formatDate(text).split('/');
  return { month: Number(month), year: year.length === 2 ? 2000 + Number(year) : 0 };
}

function checkNumber(text) {
  const number = digitsOf(text);
  const { lengths, hasNoCheckDigit } = brandOf(number);
  const isRight = lengths.includes(number.length) && (hasNoCheckDigit || passesLuhn(number));
  return isRight ? '' : 'Card number is not valid';
}

function checkDate(text) {
  const { month, year } = readDate(text);
  if (month < 1 || month > 12 || year === 0) return 'Expiration date is not valid';
  return new Date(year, month, 1) <= new Date() ? 'This card has expired' : '';
}

function checkCvv(text, number) {
  const { cvv } = brandOf(number);
  return text.length === cvv ? '' : `CVV has ${cvv} digits`;
}

export const FIELDS = {
  cardNumber: { label: 'Card number', autocomplete: 'cc-number', format: formatNumber, check: checkNumber },
  expirationDate: { label: 'Expiration date (MM/YY)', autocomplete: 'cc-exp', format: formatDate, check: checkDate },
  cvv: { label: 'CVV', autocomplete: 'cc-csc', format: (text) => digitsOf(text).slice(0, 4), check: checkCvv },
  postalCode: {
    label: 'ZIP',
    autocomplete: 'postal-code',
    format: (text) =>
      digitsOf(text)
        .slice(0, 9)
        .replace(/^(\d{5})(\d)/, '$1-$2'),
    check: (text) => (/^\d{5}(?:-\d{4})?$/.test(text) ? '' : 'ZIP is not valid'),
  },
};
