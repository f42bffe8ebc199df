/** A mail without its envelope: the same words as text and as HTML. */
export type Letter = { readonly subject: string; readonly text: string; readonly html: string };

export type House = { readonly publicUrl: string; readonly supportEmail: string };

export type Content = {
  readonly subject: string;
  readonly greeting: string;
  /** Paragraphs above the code or the button. */
  readonly lines: readonly string[];
  readonly code?: string;
  /** A small table under the lines, of names and what they are; the last row is the sum of the others if `hasSum`. */
  readonly facts?: readonly (readonly [name: string, value: string])[];
  readonly hasSum?: boolean;
  readonly button?: { readonly words: string; readonly link: string };
  readonly after?: readonly string[];
  /** The way to get no more of these. */
  readonly stop?: { readonly words: string; readonly link: string };
};

const INK = '#10222b';
const QUIET = '#51626c';
const BRAND = '#0b6e8b';
const LINE = '#dfe7ec';

const asHtml = (text: string) =>
  text.replace(
    /[&<>"']/g,
    (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[sign] ?? '',
  );

/** The words of a mail, as text and as HTML. */
export function write(content: Content, house: House): Letter {
  const { subject, greeting, lines, code, facts, button, after = [], stop } = content;
  const help = `Questions? Write to ${house.supportEmail}.`;
  const text = [
    greeting,
    ...lines,
    ...(code ? [code] : []),
    ...(facts ? [facts.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(button ? [`${button.words}:\n${button.link}`] : []),
    ...after,
    `${help}\nRubadub`,
    ...(stop ? [`${stop.words}:\n${stop.link}`] : []),
  ].join('\n\n');
  return { subject, text, html: writeHtml(content, help) };
}

function writeHtml({ subject, greeting, lines, code, facts, hasSum, button, after = [], stop }: Content, help: string) {
  const paragraph = (words: string) => `<p style="margin:0 0 16px">${asHtml(words)}</p>`;
  const small = `font-size:14px;color:${QUIET}`;
  const middle = [
    code && `<p style="margin:0 0 16px;font-size:32px;font-weight:700;letter-spacing:8px;color:${INK}">${code}</p>`,
    facts && writeFacts(facts, hasSum),
    button &&
      `<p style="margin:0 0 24px"><a href="${asHtml(button.link)}" style="display:inline-block;padding:12px 24px;border-radius:10px;background:${BRAND};color:#ffffff;text-decoration:none;font-weight:600">${asHtml(button.words)}</a></p>`,
  ];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${asHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#f5f8fa;color:${INK};font:16px/1.5 system-ui,sans-serif">`,
    `<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid ${LINE};border-radius:12px">`,
    `<p style="margin:0 0 24px;font-weight:700;font-size:18px;color:${BRAND}">Rubadub</p>`,
    paragraph(greeting),
    ...lines.map(paragraph),
    ...middle.filter(Boolean),
    ...after.map(paragraph),
    `<p style="margin:24px 0 0;${small}">${asHtml(help)}</p>`,
    stop &&
      `<p style="margin:8px 0 0;${small}"><a href="${asHtml(stop.link)}" style="color:${QUIET}">${asHtml(stop.words)}</a></p>`,
    '</div></body></html>',
  ]
    .filter(Boolean)
    .join('');
}

function writeFacts(facts: NonNullable<Content['facts']>, hasSum = false): string {
  const rows = facts.map(([name, value], index) => {
    const isSum = hasSum && index === facts.length - 1;
    const look = isSum ? `border-top:1px solid ${LINE};font-weight:600` : `color:${QUIET}`;
    return `<tr><td style="padding:4px 16px 4px 0;${look}">${asHtml(name)}</td><td style="padding:4px 0;text-align:right;${look};color:${INK}">${asHtml(value)}</td></tr>`;
  });
  return `<table role="presentation" style="width:100%;margin:0 0 24px;border-collapse:collapse">${rows.join('')}</table>`;
}

export function codeMail(code: string, house: House): Letter {
  return write(
    {
      subject: 'Your Rubadub sign-up code',
      greeting: 'Welcome to Rubadub.',
      lines: ['Type this code into the sign-up page to show that this address is yours:'],
      code,
      after: ['It is good for ten minutes. If you did not ask for it, you need not do anything.'],
    },
    house,
  );
}

export function accountExistsMail(fullname: string, house: House): Letter {
  return write(
    {
      subject: 'You already have a Rubadub account',
      greeting: `Hello ${fullname},`,
      lines: [
        'Somebody, most likely you, asked for a sign-up code for this address. It has an account already, so there is no code: just sign in.',
      ],
      button: { words: 'Sign in', link: `${house.publicUrl}/#/login` },
      after: ['If the password will not come to mind, the sign-in page can send you a link for a new one.'],
    },
    house,
  );
}

export function resetMail(fullname: string, link: string, house: House): Letter {
  return write(
    {
      subject: 'Set a new Rubadub password',
      greeting: `Hello ${fullname},`,
      lines: ['Here is the link to set a new password. It works once, within the next hour:'],
      button: { words: 'Set a new password', link },
      after: ['If you did not ask for it, you need not do anything: your password stays as it is.'],
    },
    house,
  );
}

export function passwordChangedMail(fullname: string, house: House): Letter {
  return write(
    {
      subject: 'Your Rubadub password was changed',
      greeting: `Hello ${fullname},`,
      lines: [
        'Your password was just changed, and every device was signed out.',
        'If this was not you, set a new password at once and write to us.',
      ],
      button: { words: 'Sign in', link: `${house.publicUrl}/#/login` },
    },
    house,
  );
}
