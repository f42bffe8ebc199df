import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Screenshot = { readonly screen: string; readonly state: string; readonly width: string; readonly scheme: string };

/** Writes a page with every screenshot in a folder. Returns its path and the number of screenshots. */
export function writeGalleryPage(folder: string): { page: string; count: number } {
  mkdirSync(folder, { recursive: true });
  const shots = readScreenshots(folder);
  const page = join(folder, 'index.html');
  writeFileSync(
    page,
    PAGE.replace('SHOTS', () => JSON.stringify(shots).replaceAll('<', '\\u003c')),
  );
  return { page, count: shots.length };
}

function readScreenshots(folder: string): Screenshot[] {
  const screens = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return screens.flatMap(({ name: screen }) =>
    readdirSync(join(folder, screen)).flatMap((file) => {
      const [, state, width, scheme] = /^(.+)\.(\d+)\.(light|dark)\.png$/.exec(file) ?? [];
      return state && width && scheme ? [{ screen, state, width, scheme }] : [];
    }),
  );
}

const STYLE = `
  :root { color-scheme: light dark; font: 15px/1.4 system-ui, sans-serif; }
  body { margin: 0; display: grid; grid-template-columns: 260px 1fr; height: 100vh; }
  nav { overflow: auto; padding: 12px; border-right: 1px solid #8886; }
  nav h2 { font-size: 13px; margin: 14px 0 4px; opacity: .7; }
  nav button { display: block; width: 100%; text-align: left; border: 0; background: none; padding: 4px 8px; font: inherit; }
  nav button[aria-current] { background: #0b6e8b; color: #fff; border-radius: 6px; }
  main { overflow: auto; padding: 12px; }
  header { display: flex; gap: 16px; align-items: baseline; flex-wrap: wrap; margin-bottom: 12px; }
  h1 { font-size: 18px; margin: 0; }
  #shots { display: flex; gap: 12px; align-items: flex-start; }
  figure { margin: 0; }
  img { max-width: 100%; border: 1px solid #8886; display: block; }
`;

const SCRIPT = `
  const shots = SHOTS;
  const states = [...new Map(shots.map((shot) => [shot.screen + '/' + shot.state, shot])).values()];
  const list = document.querySelector('nav');
  const menu = (name) => document.querySelector('select[name=' + name + ']').value;
  let current = Math.max(0, states.findIndex(({ screen, state }) => encodeURI('#' + screen + '/' + state) === location.hash));
  let heading;
  const buttons = states.map(({ screen, state }, index) => {
    if (screen !== heading) list.append(Object.assign(document.createElement('h2'), { textContent: heading = screen }));
    const button = Object.assign(document.createElement('button'), { textContent: state, onclick: () => show(index) });
    list.append(button);
    return button;
  });
  function show(index) {
    current = (index + states.length) % states.length;
    const { screen, state } = states[current];
    buttons.forEach((button, position) => button.toggleAttribute('aria-current', position === current));
    buttons[current].scrollIntoView({ block: 'nearest' });
    history.replaceState(null, '', '#' + screen + '/' + state);
    document.querySelector('h1').textContent = screen + ': ' + state;
    const selected = shots.filter((shot) => shot.screen === screen && shot.state === state
      && ['all', shot.width].includes(menu('width')) && ['all', shot.scheme].includes(menu('scheme')));
    document.querySelector('#shots').replaceChildren(...selected.map(({ width, scheme }) => {
      const figure = document.createElement('figure');
      figure.style.flex = width + ' 1 0';
      figure.style.maxWidth = width + 'px';
      const name = [state, width, scheme, 'png'].join('.');
      const alt = [screen, state, width, scheme].join(', ');
      figure.append(Object.assign(document.createElement('img'), { src: [screen, name].map(encodeURIComponent).join('/'), alt }));
      return figure;
    }));
  }
  document.querySelectorAll('select').forEach((select) => select.addEventListener('change', () => show(current)));
  document.addEventListener('keydown', (event) => {
    if (event.target.tagName === 'SELECT') return;
    const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (step) { event.preventDefault(); show(current + step); }
  });
  show(current);
`;

const renderSelect = (name: string, values: readonly string[]) =>
  `<label>${name} <select name="${name}">${values.map((value) => `<option>${value}</option>`).join('')}</select></label>`;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Rubadub: screenshots</title>
<style>${STYLE}</style>
<nav aria-label="Screens"></nav>
<main>
<header><h1></h1>${renderSelect('width', ['all', '1280', '390'])}${renderSelect('scheme', ['all', 'light', 'dark'])}
<span>Use the arrow keys to browse.</span></header>
<div id="shots"></div>
</main>
<script>${SCRIPT}</script>
</html>
`;
