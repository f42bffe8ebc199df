/** The text of a notification, or the reason why it must not be sent any more. */
export type ContentOrDropped = NotificationContent | { readonly dropped: string };

/** The text of a notification. The mail has all of it; the push has the title and the first line. */
export type NotificationContent = {
  readonly title: string;
  /** The order, by its number. Only in mails: the space of a push is short. */
  readonly order?: string;
  readonly lines: readonly [short: string, ...more: string[]];
  readonly details?: readonly (readonly [name: string, value: string])[];
  readonly hasTotal?: boolean;
  readonly button: string;
  /** The route in the app that the button opens. */
  readonly path: string;
  /** The proposal that its mail asks about: the button of the mail opens a page that needs no session. */
  readonly asks?: string;
};
