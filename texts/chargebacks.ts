/** The card network's reasons in our words. What is not here is shown as it is. */
const REASON_TEXTS: Readonly<Record<string, string>> = {
  AMOUNT_DIFFERS: 'They say that the amount is wrong',
  CANCELLED: 'They say that they cancelled',
  DUPLICATE: 'They say that they were charged twice',
  NO_KNOWLEDGE: 'They say that they do not know this payment',
  NOT_AS_DESCRIBED: 'They say that it was not as described',
  NOT_RECEIVED: 'They say that they got nothing',
  PAID_BY_OTHER_MEANS: 'They say that they paid in another way',
  CUSTOMER_REQUESTS_CREDIT: 'They say that they were promised their money back',
  EMV_LIABILITY_SHIFT: 'The card had a chip that was not used',
};
export const reasonText = (reason: string): string => REASON_TEXTS[reason] ?? reason;
