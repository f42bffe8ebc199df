// Replaces Square's script in the browser, with the same interface: window.Square.
(() => {
  // A script from another origin needs full module addresses.
  const formUrl = new URL('card.js', document.currentScript.src).href;
  const errors = {};
  const INTENTS = ['CHARGE', 'STORE', 'CHARGE_AND_STORE'];
  const NAMES = `BrowserNotSupported ElementNotFound InvalidOption InvalidEventListenerCallback InvalidFieldName
    PaymentMethodAlreadyAttached PaymentMethodAlreadyDestroyed PaymentMethodNotAttached PaymentMethodUnsupported
    Tokenization Unexpected VerifyBuyer WebSdkEmbed`;
  for (const name of NAMES.split(/\s+/)) {
    errors[`${name}Error`] = class extends Error {
      name = `${name}Error`;
      errors = [];
    };
  }

  // There is no challenge here. The payments call accepts this token.
  async function verifyBuyer(source, { intent, amount, currencyCode } = {}) {
    if (!source) throw new errors.VerifyBuyerError('A payment token is needed');
    if (!INTENTS.includes(intent)) throw new errors.VerifyBuyerError(`${intent} is not an intent`);
    if (intent !== 'STORE' && !(amount && currencyCode)) throw new errors.VerifyBuyerError('A charge has an amount');
    const bytes = crypto.getRandomValues(new Uint8Array(12));
    const token = `verf:${[...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`;
    return { token, userChallenged: false };
  }

  async function refuseMethod() {
    throw new errors.PaymentMethodUnsupportedError('The stand-in takes cards only');
  }

  function payments(applicationId) {
    if (!applicationId) throw new errors.InvalidOptionError('An application id is needed');
    const others = ['googlePay', 'applePay', 'ach', 'giftCard', 'afterpayClearpay', 'cashAppPay'];
    return {
      card: async (options = {}) => (await import(formUrl)).createCard(options, errors),
      verifyBuyer,
      setLocale: async (locale) => ({ locale }),
      ...Object.fromEntries(others.map((method) => [method, refuseMethod])),
    };
  }

  window.Square = { payments, errors };
})();
