/** A mail without its envelope: the same words as text and as HTML. */
export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string };

export type MailConfig = { readonly publicUrl: string; readonly supportEmail: string };

export type MailContent = {
  readonly subject: string;
  readonly greeting: string;
  /** Paragraphs above the code or the button. */
  readonly lines: readonly string[];
  readonly code?: string;
  /** A small table under the lines, of names and what they are; the last row is the sum of the others if `hasSum`. */
  readonly details?: readonly (readonly [name: string, value: string])[];
  readonly hasTotal?: boolean;
  readonly button?: { readonly label: string; readonly link: string };
  readonly closing?: readonly string[];
  /** The way to get no more of these. */
  readonly unsubscribe?: { readonly label: string; readonly link: string };
};

const TEXT_COLOR = '#10222b';
const MUTED_COLOR = '#51626c';
const BRAND_COLOR = '#0b6e8b';
const BORDER_COLOR = '#dfe7ec';

const escapeHtml = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign] ?? '',
  );

/** The words of a mail, as text and as HTML. */
export function renderMail(content: MailContent, house: MailConfig): RenderedMail {
  const { subject, greeting, lines, code, details: facts, button, closing: after = [], unsubscribe: stop } = content;
  const help = `Questions? Write to ${house.supportEmail}.`;
  const text = [
    greeting,
    ...lines,
    ...(code ? [code] : []),
    ...(facts ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(button ? [`${button.label}:\n${button.link}`] : []),
    ...after,
    `${help}\nRubadub`,
    ...(stop ? [`${stop.label}:\n${stop.link}`] : []),
  ].join('\n\n');
  return { subject, text, html: renderHtml(content, help) };
}

function renderHtml(
  {
    subject,
    greeting,
    lines,
    code,
    details: facts,
    hasTotal: hasSum,
    button,
    closing: after = [],
    unsubscribe: stop,
  }: MailContent,
  help: string,
) {
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${escapeHtml(words)}</p>`;
  const small = `font-size:14px;color:${MUTED_COLOR}`;
  const middle = [
    code &&
      `<p style="margin:0 0 16px;font-size:32px;font-weight:700;letter-spacing:8px;color:${TEXT_COLOR}">${code}</p>`,
    facts && renderDetails(facts, hasSum),
    button &&
      `<p style="margin:0 0 24px"><a href="${escapeHtml(button.link)}" style="display:inline-block;padding:12px 24px;border-radius:10px;background:${BRAND_COLOR};color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>`,
  ];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#f5f8fa;color:${TEXT_COLOR};font:16px/1.5 system-ui,sans-serif">`,
    `<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid ${BORDER_COLOR};border-radius:12px">`,
    `<p style="margin:0 0 24px;font-weight:700;font-size:18px;color:${BRAND_COLOR}">Rubadub</p>`,
    paragraph(greeting),
    ...lines.map(paragraph),
    ...middle.filter(Boolean),
    ...after.map(paragraph),
    `<p style="margin:24px 0 0;${small}">${escapeHtml(help)}</p>`,
    stop &&
      `<p style="margin:8px 0 0;${small}"><a href="${escapeHtml(stop.link)}" style="color:${MUTED_COLOR}">${escapeHtml(stop.label)}</a></p>`,
    '</div></body></html>',
  ]
    .filter(Boolean)
    .join('');
}

function renderDetails(facts: NonNullable<MailContent['details']>, hasSum = false): string {
  const rows = facts.map(([name, value], index) => {
    const isSum = hasSum && index === facts.length - 1;
    const look = isSum ? `border-top:1px solid ${BORDER_COLOR};font-weight:600` : `color:${MUTED_COLOR}`;
    return `<tr><td style="padding:4px 16px 4px 0;${look}">${escapeHtml(name)}</td><td style="padding:4px 0;text-align:right;${look};color:${TEXT_COLOR}">${escapeHtml(value)}</td></tr>`;
  });
  return `<table role="presentation" style="width:100%;margin:0 0 24px;border-collapse:collapse">${rows.join('')}</table>`;
}

export function signUpCodeMail(code: string, house: MailConfig): RenderedMail {
  return renderMail(
    {
      subject: 'Your Rubadub sign-up code',
      greeting: 'Welcome to Rubadub.',
      lines: ['Type this code into the sign-up page to show that this address is yours:'],
      code,
      closing: ['It is good for ten minutes. If you did not ask for it, you need not do anything.'],
    },
    house,
  );
}

export function accountExistsMail(fullname: string, house: MailConfig): RenderedMail {
  return renderMail(
    {
      subject: 'You already have a Rubadub account',
      greeting: `Hello ${fullname},`,
      lines: [
        'Somebody, most likely you, asked for a sign-up code for this address. It has an account already, so there is no code: just sign in.',
      ],
      button: { label: 'Sign in', link: `${house.publicUrl}/#/login` },
      closing: ['If the password will not come to mind, the sign-in page can send you a link for a new one.'],
    },
    house,
  );
}

export function passwordResetMail(fullname: string, link: string, house: MailConfig): RenderedMail {
  return renderMail(
    {
      subject: 'Set a new Rubadub password',
      greeting: `Hello ${fullname},`,
      lines: ['Here is the link to set a new password. It works once, within the next hour:'],
      button: { label: 'Set a new password', link },
      closing: ['If you did not ask for it, you need not do anything: your password stays as it is.'],
    },
    house,
  );
}

export function passwordChangedMail(fullname: string, house: MailConfig): RenderedMail {
  return renderMail(
    {
      subject: 'Your Rubadub password was changed',
      greeting: `Hello ${fullname},`,
      lines: [
        'Your password was just changed, and every device was signed out.',
        'If this was not you, set a new password at once and write to us.',
      ],
      button: { label: 'Sign in', link: `${house.publicUrl}/#/login` },
    },
    house,
  );
}
