/**
 * The first key that an object of valid JSON has twice, at any depth. JSON.parse keeps the last of the two without a word,
 * so a program in front of us may have checked the other one.
 */
export function findDuplicateKey(json: string): string | undefined {
  const outer: (Set<string> | undefined)[] = [];
  // The keys of the innermost object so far; undefined in a list.
  let keys: Set<string> | undefined;
  let isKeyNext = false;
  for (let at = 0; at < json.length; at += 1) {
    const letter = json[at];
    if (letter === '"') {
      const end = findStringEnd(json, at);
      if (isKeyNext && keys) {
        const written = json.slice(at + 1, end);
        const key = written.includes('\\') ? (JSON.parse(`"${written}"`) as string) : written;
        if (keys.has(key)) return key;
        keys.add(key);
      }
      isKeyNext = false;
      at = end;
    } else if (letter === '{' || letter === '[') {
      outer.push(keys);
      isKeyNext = letter === '{';
      keys = isKeyNext ? new Set() : undefined;
    } else if (letter === '}' || letter === ']') keys = outer.pop();
    else if (letter === ',') isKeyNext = keys !== undefined;
  }
  return undefined;
}

function findStringEnd(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end;
}

function isEscaped(json: string, at: number): boolean {
  let backslashes = 0;
  while (json[at - 1 - backslashes] === '\\') backslashes += 1;
  return backslashes % 2 === 1;
}
