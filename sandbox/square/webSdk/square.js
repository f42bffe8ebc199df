// Runs in the browser in place of Square's own script, and has the same interface: window.Square.
(() => {
  // A script of another origin must name its modules in full.
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

  // Nobody is challenged here; the token is one that the payments call takes.
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
