import { describeError } from './commandError.ts';
import { runOperatorLine } from './operatorLine.ts';

runOperatorLine(process.argv.slice(2), process.env).then(
  (printed) => {
    console.log(printed);
    process.exit(0);
  },
  (error: unknown) => {
    console.error(`rubadub operator: ${describeError(error)}`);
    process.exit(1);
  },
);
