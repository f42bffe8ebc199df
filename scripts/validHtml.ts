import { HtmlValidate } from 'html-validate';

const VALIDATOR = new HtmlValidate({
  root: true,
  extends: ['html-validate:recommended'],
  rules: {
    // How React and Vite write HTML. All of it is valid.
    ...{ 'void-style': 'off', 'attr-case': 'off', 'attribute-boolean-style': 'off', 'doctype-style': 'off' },
    'valid-id': ['error', { relaxed: true }],
    // Icons and Mantine have them; the content security policy allows styles.
    'no-inline-style': 'off',
  },
});

/** What is wrong with a page of HTML, one line each. */
export async function findHtmlProblems(name: string, html: string): Promise<string[]> {
  const { results } = await VALIDATOR.validateString(html, name);
  return results.flatMap(({ messages }) =>
    messages.map(({ line, column, ruleId, message }) => `${name}:${line}:${column} ${message} (${ruleId})`),
  );
}
