// Replaces Square's script in the browser, with the same interface: window.Square.
(() => {
  // A script from another origin needs full module addresses.
  const formUrl = new URL('card.js', document.currentScript.src).href;
  const errors = {};
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
  async function verifyBuyer(source) {
    if (!source) throw new errors.VerifyBuyerError('A payment token is needed');
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
