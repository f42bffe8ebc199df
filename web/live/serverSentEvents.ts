/** One server-sent event, as far as we use them. */
export type ServerSentEvent = { readonly id: string | undefined; readonly data: string };

/** Cuts a stream of text into its events; comments and fields that we do not use are passed over. */
export function createEventParser(): (text: string) => ServerSentEvent[] {
  let rest = '';
  return (text) => {
    const blocks = (rest + text).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop() ?? '';
    return blocks.map(parseBlock).filter((event) => event !== undefined);
  };
}

function parseBlock(block: string): ServerSentEvent | undefined {
  let id: string | undefined;
  const data: string[] = [];
  for (const line of block.split('\n')) {
    const [, name, value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name === 'id') id = value;
    if (name === 'data') data.push(value);
  }
  return data.length > 0 ? { id, data: data.join('\n') } : undefined;
}
