/** What an operator wrote with the last step of a delivery. Only a Bud and a Scrub are sent it. */
export const townWordsOf = ({ townWords }: { readonly townWords?: string | null | undefined }): string | undefined =>
  townWords ? `The town wrote: “${townWords}”` : undefined;
