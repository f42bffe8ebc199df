import { toSafeLine } from '../../domain/texts.ts';

/** A mail without its envelope, as plain text and as HTML. */
export type RenderedMail = { readonly subject: string; readonly text: string; readonly html: string };

export type MailContent = {
  readonly subject: string;
  readonly greeting: string;
  /** Paragraphs above the code or the button. */
  readonly lines: readonly string[];
  readonly code?: string;
  /** A small table below the paragraphs. Its last row is a total if `hasTotal`. */
  readonly details?: readonly (readonly [name: string, value: string])[] | undefined;
  readonly hasTotal?: boolean | undefined;
  readonly button?: { readonly label: string; readonly link: string };
  readonly closing?: readonly string[];
  /** Where to ask for help. */
  readonly help: string;
  readonly signature: string;
  /** Of the signature and the button. White text can be read on it. */
  readonly color: string;
  /** Who runs the town. */
  readonly legal: readonly string[];
  readonly unsubscribe?: { readonly label: string; readonly link: string };
};

const TEXT_COLOR = '#10222b';
const MUTED_COLOR = '#51626c';
const BORDER_COLOR = '#dfe7ec';

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');

/** Names and addresses from before the rules for texts can break a line, or turn it around. */
export function renderMail(mail: MailContent): RenderedMail {
  const content: MailContent = {
    ...mail,
    greeting: toSafeLine(mail.greeting),
    lines: mail.lines.map(toSafeLine),
    details: mail.details?.map(([name, value]) => [name, toSafeLine(value)]),
  };
  return { subject: content.subject, text: renderText(content), html: renderHtml(content) };
}

function renderText(content: MailContent): string {
  const { greeting, lines, code, details, button, closing = [], help, signature, legal, unsubscribe } = content;
  return [
    greeting,
    ...lines,
    ...(code ? [code] : []),
    ...(details ? [details.map(([name, value]) => `${name}: ${value}`).join('\n')] : []),
    ...(button ? [`${button.label}:\n${button.link}`] : []),
    ...closing,
    [help, signature, ...legal].join('\n'),
    ...(unsubscribe ? [`${unsubscribe.label}:\n${unsubscribe.link}`] : []),
  ].join('\n\n');
}

function renderHtml(content: MailContent): string {
  const {
    subject,
    greeting,
    lines,
    code,
    details,
    hasTotal,
    button,
    color,
    closing = [],
    legal,
    unsubscribe,
  } = content;
  const paragraph = (text: string) => `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`;
  const small = `font-size:14px;color:${MUTED_COLOR}`;
  const middle = [
    code &&
      `<p style="margin:0 0 16px;font-size:32px;font-weight:700;letter-spacing:8px;color:${TEXT_COLOR}">${code}</p>`,
    details && renderDetails(details, hasTotal),
    button &&
      `<p style="margin:0 0 24px"><a href="${escapeHtml(button.link)}" style="display:inline-block;padding:12px 24px;border-radius:10px;background:${color};color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button.label)}</a></p>`,
  ];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
    `<title>${escapeHtml(subject)}</title></head>`,
    `<body style="margin:0;padding:24px;background:#f5f8fa;color:${TEXT_COLOR};font:16px/1.5 system-ui,sans-serif">`,
    `<div style="max-width:480px;margin:0 auto;padding:32px;background:#ffffff;border:1px solid ${BORDER_COLOR};border-radius:12px">`,
    `<p style="margin:0 0 24px;font-weight:700;font-size:18px;color:${color}">${escapeHtml(content.signature)}</p>`,
    paragraph(greeting),
    ...lines.map(paragraph),
    ...middle.filter(Boolean),
    ...closing.map(paragraph),
    `<p style="margin:24px 0 0;${small}">${escapeHtml(content.help)}</p>`,
    legal.length > 0 && `<p style="margin:8px 0 0;${small}">${escapeHtml(legal.join(', '))}</p>`,
    unsubscribe &&
      `<p style="margin:8px 0 0;${small}"><a href="${escapeHtml(unsubscribe.link)}" style="color:${MUTED_COLOR}">${escapeHtml(unsubscribe.label)}</a></p>`,
    '</div></body></html>',
  ]
    .filter(Boolean)
    .join('');
}

function renderDetails(details: NonNullable<MailContent['details']>, hasTotal = false): string {
  const rows = details.map(([name, value], index) => {
    const isTotal = hasTotal && index === details.length - 1;
    const style = isTotal ? `border-top:1px solid ${BORDER_COLOR};font-weight:600` : `color:${MUTED_COLOR}`;
    return `<tr><td style="padding:4px 16px 4px 0;${style}">${escapeHtml(name)}</td><td style="padding:4px 0;text-align:right;${style};color:${TEXT_COLOR}">${escapeHtml(value)}</td></tr>`;
  });
  return `<table role="presentation" style="width:100%;margin:0 0 24px;border-collapse:collapse">${rows.join('')}</table>`;
}
