export const OPERATOR_HELP = `npm run operator -- <command>

  Works while the server runs, and while it does not. What changes something is written into the audit: say who you are with
  --as <your e-mail as an operator>, and why with --reason <text>. Your rights and limits hold, and what needs a second
  operator waits for one: "approvals" shows it. Before there are operators, --as is left out; prices and policies can be set,
  and what gives money away is refused. An <order> is its number, like R-1042, or its id.

  list                              problems that need a person, and what to do; then the cases that wait for the town
  retry <id>                        tries a payment or refund from that list again
  drop <refund>                     gives up a refund that Square refuses
  refund <order> [dollars]          gives the whole order, or a part, back to the card; above the limits it waits for a second operator
         --liable platform|scrub|duber   who pays for it (default: platform)
         --delivery <id>                 which delivery's Duber, if there are two
         --reason <text>                 what the Bud and who bears it read
  adjust <order>                    shows what corrects an order that ledger:check lists, and a code
         --yes <code> --reason <text>    asks a second operator to write what was shown with that code
  payout run                        creates the payouts for everything earned before Monday (the server also does this)
  payout send                       asks a second operator to put the due payouts into a batch for the bank
  payout again [batch] [--out <file>]   writes the file of a batch (of the last one) for the bank
  prices                            all prices, and from when they apply
  price <item> <value> --from <date>    asks a second operator for a price from a date on, in dollars (2.75), as a rate (8.25%),
                                    or in pounds (size-XL 15)
  policy                            what is decided for the whole installation, and what each choice means
  policy <name> <value>             asks a second operator to decide it from tomorrow on: policy privacy careful
  step <order or delivery> <action> takes a step that only an operator can take
         --reason <word> [--words <text>]   why, for its people
         --liable platform|scrub            who pays the Dubers (reopen; default: platform)
         --latitude <x> --longitude <y>     where the laundry is (relay)
  preset open|careful               asks the same for everything at once: as simple as possible, or as a town with strangers' money should
  operators                         who runs the town, and with which rights
  invite <e-mail> [--rights see,help]   mails a link to become an operator; prints it for the first one
  reset-factor <e-mail>             a new password and second factor for an operator who has lost the phone
  approvals                         what waits for a second operator
  approve <id>, decline <id>        approves or declines it
  audit                             checks that no row of the audit was changed or removed
  messages                          mails and pushes that were not sent, newest first, and why
  messages resend <id>|all          sends them again
  case list                         cases that wait for a decision of the town, what is urgent first
  case show C-207                   what happened in a case, its items, and what was asked for
  case decide C-207 --reason <text> decides it; an item that is not named gets nothing. Above the limits it waits for a second operator
         --item 1 --amount 12.50 --liable platform|scrub|duber   once for each item (without items: item 1)
         --delivery <id>                    whose Duber bears it, when several carried the laundry: case show names them
  case close C-207 --reason <text>  closes it without a decision
`;
