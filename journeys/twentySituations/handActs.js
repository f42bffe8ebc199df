// Counts what the hands of a person do in a page of the console. The browser runs it before the scripts of each page. A journey
// presses buttons like a mouse does, but it fills fields without keys: that counts as the keys that a person types, after a press
// into the field. Choosing from a list counts as two presses.
(() => {
  if (window.origin === 'null') return;
  const STORE = 'journey-hand-acts';
  const IS_TYPED = /^.$|^(Backspace|Delete)$/u;
  const MODIFIERS = ['Shift', 'Control', 'Alt', 'Meta'];
  // Kept while the page is loaded again.
  const stored = sessionStorage.getItem(STORE);
  const acts = stored ? JSON.parse(stored) : { presses: 0, keys: 0, commands: 0, pages: 0, scrolls: 0, handMoves: 0 };
  let device;
  let field;
  let hasScrolled = false;
  let hasResized = false;
  let isKeyDown = false;

  const count = (name, number = 1) => {
    acts[name] += number;
    sessionStorage.setItem(STORE, JSON.stringify(acts));
  };
  const use = (next) => {
    if (device !== undefined && device !== next) count('handMoves');
    device = next;
    // A journey that checks the layout at several widths scrolls as well.
    if (hasScrolled && !hasResized) count('scrolls');
    hasScrolled = false;
    hasResized = false;
  };
  const press = (target) => {
    use('mouse');
    count('presses');
    field = target;
  };
  const type = (target, keys) => {
    if (field !== target) press(target);
    use('keyboard');
    count('keys', keys);
  };
  const listen = (target, event, listener) => target.addEventListener(event, listener, { capture: true });

  listen(window, 'pointerdown', ({ isTrusted, target }) => {
    if (isTrusted) press(target.closest('label')?.control ?? target);
  });
  listen(window, 'keydown', ({ isTrusted, key, target }) => {
    if (!isTrusted || MODIFIERS.includes(key)) return;
    isKeyDown = true;
    if (IS_TYPED.test(key)) return type(target, 1);
    use('keyboard');
    count('commands');
  });
  listen(window, 'keyup', () => {
    isKeyDown = false;
  });
  listen(window, 'input', ({ isTrusted, data, target }) => {
    if (isKeyDown || target.matches('select, [type=checkbox], [type=radio], [type=file]')) return;
    // Dates and times are typed without what is between their numbers.
    if (/date|time/.test(target.type)) type(target, target.value.replaceAll(/\D/g, '').length);
    else type(target, (isTrusted && data ? data : target.value).length);
  });
  listen(window, 'change', ({ isTrusted, target }) => {
    if (isTrusted || !target.matches('select')) return;
    press(target);
    press(target);
  });
  listen(window, 'scroll', () => {
    hasScrolled = true;
  });
  listen(window, 'resize', () => {
    hasResized = true;
  });
  listen(window.navigation, 'navigate', ({ navigationType, downloadRequest }) => {
    hasScrolled = false;
    if (downloadRequest === null && navigationType !== 'replace') count('pages');
  });
  // A key loads a page again.
  if (performance.getEntriesByType('navigation')[0]?.type === 'reload') {
    count('commands');
    count('pages');
  }
})();
