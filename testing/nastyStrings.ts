const CATEGORIES = 'Lu Ll Lt Lm Lo Mn Mc Me Nd Nl No Pc Pd Ps Pe Pi Pf Po Sm Sc Sk So Zs Zl Zp Cc Cf Cs Co Cn'.split(
  ' ',
);
const CODE_POINTS = Array.from({ length: 0x110000 }, (_, code) => code);
const text = (...codes: number[]) => String.fromCodePoint(...codes);

/** The first, the last and a middle code point of each general category, alone and within a word. */
function* categoryEdges(): Generator<string> {
  for (const category of CATEGORIES) {
    const pattern = new RegExp(`^\\p{gc=${category}}$`, 'u');
    const members = CODE_POINTS.filter((code) => pattern.test(text(code)));
    for (const code of new Set([members[0], members[members.length >> 1], members.at(-1)])) {
      if (code === undefined) continue;
      yield text(code);
      yield `Ada ${text(code)} Byron`;
    }
  }
}

/** The code points around which encodings change their length, and the ends of the planes. */
function* encodingEdges(): Generator<string> {
  for (const code of [0x7f, 0x80, 0x7ff, 0x800, 0xd7ff, 0xe000, 0xfdd0, 0xfffd, 0xfffe, 0xffff, 0x10000, 0x10ffff])
    for (const word of [text(code), `${text(code)}x`, text(code).repeat(40)]) yield word;
  for (const half of ['\ud800', '\udbff', '\udc00', '\udfff'])
    for (const word of [half, `a${half}`, `${half}${half}b`, `\ud83d${half}`]) yield word;
}

/** Every code point that is not seen, or turns a line around. */
function* invisible(): Generator<string> {
  const marks = CODE_POINTS.filter((code) => /^[\p{Bidi_Control}\p{White_Space}\p{Join_Control}]$/u.test(text(code)));
  const others = [0, 1, 7, 8, 0x1b, 0x7f, 0x9b, 0xad, 0x34f, 0x115f, 0x17b4, 0x180e, 0x2060, 0x2800, 0x3164, 0xfeff];
  for (const code of [...marks, ...others, 0xfffb, 0x1d173, 0xe0001, 0xe007f]) {
    yield `Ad${text(code)}a`;
    yield `${text(code)}Ada${text(code)}`;
  }
  yield `Ada \u202Etxt.exe`;
  yield `\u2067\u2066Ada\u2069\u2069`;
}

/** Texts that become longer, shorter or something else when they are normalized or change their case. */
function* normalized(): Generator<string> {
  const words = [
    '\u0958',
    '\ufb2c',
    '\u1f82',
    '\ufdfa',
    '\u0390',
    '\u1e9b\u0323',
    '\u212b',
    '\u2126',
    '\u0130',
    '\u00df',
  ];
  for (const word of [...words, '\u0149', '\u01f0', '\ufb03', '\u1fe4', '\uac00', '\u1100\u1161\u11a8', '\uf900']) {
    yield word;
    yield word.repeat(17);
    yield word.normalize('NFD');
  }
  for (const marks of [1, 8, 30, 90]) {
    yield `Ada${'\u0301'.repeat(marks)}`;
    yield [...'Zalgo'].map((letter) => letter + '\u0300\u0316\u0338\u20dd'.repeat(marks >> 1)).join('');
  }
}

function* emoji(): Generator<string> {
  const people = ['\u{1f468}', '\u{1f469}', '\u{1f9d1}\u{1f3fd}', '\u2764\ufe0f', '\u{1f308}'];
  for (const first of people) for (const second of people) yield `${first}\u200d${second}`;
  yield people.join('\u200d').repeat(4);
  for (const country of ['FR', 'JP', 'XX', 'Z'])
    yield [...country].map((one) => text(one.charCodeAt(0) + 127_397)).join('');
  for (const sequence of [
    '1\ufe0f\u20e3',
    '\u20e3',
    '\ufe0f',
    '\u{1f3fb}',
    '\u{1f3f4}\u{e0067}\u{e007f}',
    '\u{1f600}\u200d',
  ])
    yield sequence;
}

/** What other languages than ours give a meaning to. */
function* syntax(): Generator<string> {
  const quotes = [
    `'`,
    `"`,
    '`',
    `\\`,
    `\\'`,
    `''`,
    `'"`,
    '--',
    '/*',
    '*/',
    ';',
    '$$',
    '$1',
    '?',
    '%',
    '_',
    '\\u0000',
    '\\0',
  ];
  for (const quote of quotes) {
    yield quote;
    yield `Ada${quote} or 1=1`;
  }
  for (const word of [
    'null',
    'undefined',
    'NaN',
    'true',
    '[object Object]',
    '__proto__',
    'constructor',
    '0',
    '-0',
    '1e999',
  ])
    yield word;
  for (const open of ['<', '</', '<!--', '<![CDATA[', '<?', '{{', '{%', '${', '#{', '%(', '<%='])
    for (const inner of ['script>', 'x', '7*7}}', 'svg onload=x>']) yield open + inner;
  for (const format of ['%s', '%n%n%n', '%x%x', '%1$s', '{0}', '%00', '%0d%0a', '&#0;', '&lt;', '&#x202e;', '\\x1b[2J'])
    yield `Ada ${format}`;
  for (const start of ['=', '+', '-', '@', '\uff1d', '\uff0b', '\uff0d', '\uff20', '\u2212', '\ufe66', '\u207c'])
    for (const before of ['', ' ', '\u00a0']) yield `${before}${start}cmd|'/c calc'!A0`;
  for (const line of ['\r\n', '\n', '\r', '\u2028', '\u0085', '\v', '\f', '\t'])
    for (const after of ['Bcc: eve@example.org', '.', 'x-header: 1', '']) yield `Ada${line}${after}`;
  for (const link of ['https://evil.example', 'www.evil', 'evil.com', 'javascript:x', '//evil.example', 'eve@evil.org'])
    yield link;
  for (const path of [
    '../../etc/passwd',
    'C:\\nul',
    'file:///',
    '.',
    '..',
    '~',
    'CON',
    '|id',
    '$(id)',
    '`id`',
    '&& id',
  ])
    yield path;
}

/** Texts that break programs, made from Unicode's own tables and from the syntaxes around us. */
export const NASTY_STRINGS: readonly string[] = [
  ...new Set([...categoryEdges(), ...encodingEdges(), ...invisible(), ...normalized(), ...emoji(), ...syntax()]),
];
