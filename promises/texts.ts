/**
 * Who keeps what a sentence says: files, of which one is a test; or nobody in the code, for the reason that is named. 'people' are those of
 * the town. 'specification': the specification has the page say it, and no code can make it true. 'nothing': it promises nothing.
 */
type Keeper = readonly string[] | 'people' | 'specification' | 'nothing';

/** Every sentence of the landing page, the questions and answers, the terms and the privacy policy, by who keeps it. */
export const PUBLIC_TEXTS: readonly { readonly keptBy: Keeper; readonly sentences: readonly string[] }[] = [
  // What it costs, and how it is paid.
  {
    keptBy: ['web/pages/prices.tsx', 'web/pages/prices.test.ts', 'server/payments/prices/prices.test.ts'],
    sentences: [
      'Every service is priced by the pound, plus delivery.',
      'Wash and fold starts from $2.50 per lb, dry cleaning from $8.00 per lb, and delicate care from $4.00 per lb.',
      'Wash and fold starts from $2.50 per lb, and delicate care from $4.00 per lb.',
      'Wash and fold starts from $2.50 per lb.',
      'Delivery adds $5.99 each way.',
      'Pickup adds $4.50 and delivery adds $5.99.',
    ],
  },
  {
    keptBy: ['server/operator/town.ts', 'web/pages/prices.test.ts', 'server/operator/townChanges.test.ts'],
    sentences: [
      'Wash and fold, dry cleaning, delicate care and specialty.',
      'Wash and fold, delicate care and specialty.',
      'Wash and fold.',
      'Dry cleaning is not offered here.',
      'Dry cleaning and delicate care are not offered here.',
      'Dry cleaning, delicate care and specialty are not offered here.',
    ],
  },
  {
    keptBy: ['server/orders/placeOrder.ts', 'server/promos/promos.test.ts', 'journeys/wholeOrder.test.ts'],
    sentences: [
      'You see the full price before you pay.',
      'You see the price up front.',
      'You see the price to the cent before you order.',
      'You see the price before you pay, and it does not change after you order.',
      'No subscription.',
      'No hidden fees.',
    ],
  },
  {
    keptBy: ['web/pages/priceEstimate.ts', 'web/pages/priceEstimate.test.ts', 'journeys/routeAccess.test.ts'],
    sentences: [
      'Move the slider and see your total.',
      '4 lbs 1.8 kg, about 8 shirts',
      'Medium load, up to 5 lbs',
      'One price for each load: Small (1-2 lbs), Medium (3-5 lbs) or Large (6-8 lbs).',
      'It covers the wash by the pound, the drive both ways, the platform fee and taxes.',
      'In total, Small (1-2 lbs) is $17.92, Medium (3-5 lbs) is $26.83 and Large (6-8 lbs) is $35.74, with the drive both ways, the platform fee and taxes.',
      'In total, Small (1-2 lbs) is $16.43, Medium (3-5 lbs) is $25.34 and Large (6-8 lbs) is $34.25, with the drive both ways, the platform fee and taxes.',
      'Drop it off or pick it up yourself, and that trip is free.',
    ],
  },
  {
    keptBy: ['server/payments/hold/payments.sql.ts', 'server/orders/orders.test.ts', 'journeys/wholeOrder.test.ts'],
    sentences: [
      'By card, in the app.',
      'We hold the total when you place your order.',
      'When you place an order, we hold the amount on your card.',
      'We charge it when the Scrub accepts.',
    ],
  },
  {
    keptBy: ['server/payments/charge/weighedPayments.ts', 'server/payments/charge/weighedPayments.test.ts'],
    sentences: [
      'We charge it once your Scrub accepts or, where laundry is weighed, once they have weighed it.',
      'When you place an order, we hold the most that it can cost on your card.',
      'We charge it when the Scrub has weighed the laundry, and only for what it weighs.',
    ],
  },
  {
    keptBy: ['domain/process/weighing.ts', 'server/orders/weighing.test.ts', 'journeys/weighing.test.ts'],
    sentences: ['You see the price before you order, and how far it may go up.', 'Above that, we ask you first.'],
  },
  {
    keptBy: ['domain/process/order.ts', 'server/orders/expiry.test.ts', 'journeys/refusals.test.ts'],
    sentences: [
      'If the order is cancelled or rejected, you get it back.',
      'If an order is cancelled, rejected or not answered in time, we release the hold, or pay back what we charged.',
      'A Scrub has 24 hours to answer, and at most until an agreed pickup begins.',
      'You pay nothing unless someone accepts.',
      'You only pay for orders that your Scrub accepts.',
    ],
  },
  {
    keptBy: ['domain/process/order.ts', 'server/orders/orderExceptions.test.ts'],
    sentences: [
      'Yes, until your laundry is collected.',
      'It is free until a Duber has set out; after that you pay for their trip.',
      'You see what it costs before you cancel.',
      'A Bud can cancel an order until the laundry is collected.',
      'Once a Duber has set out, the Bud pays for the trip.',
    ],
  },
  {
    keptBy: ['domain/windows.ts', 'server/bookings/bookings.test.ts', 'journeys/chooseTime.test.ts'],
    sentences: [
      'Where your town offers times, you choose them when you order.',
      'Otherwise we come as soon as possible.',
      'Laundry that is back sooner may cost more, as you see before you pay.',
      'Being back on the next or the same day may cost more, as the price before the order says.',
    ],
  },
  {
    keptBy: ['domain/moves.ts', 'server/orders/windowMoves.test.ts', 'journeys/moves.test.ts'],
    sentences: [
      'You can change an agreed time until two hours before, free of charge.',
      'Where a town offers times, a Bud can change an agreed time until two hours before, free of charge.',
    ],
  },
  {
    keptBy: ['server/orders/promise.ts', 'server/orders/promise.test.ts'],
    sentences: [
      'In some towns money goes back to your card by itself when laundry is not back by the promised time.',
      'Where a town pays for a missed promise, the amount goes back to the card by itself.',
      'Whoever had the laundry then bears it, or the town, and can contest it once.',
    ],
  },
  // The order.
  {
    keptBy: ['server/events/stream.ts', 'journeys/liveUpdates.test.ts', 'journeys/livingOrder.test.ts'],
    sentences: [
      'Open it under Orders.',
      'You see every step with its time, and the page updates by itself when your Scrub or Duber takes the next one.',
      'You can follow every step live.',
      'You follow every step, from your door and back.',
    ],
  },
  {
    keptBy: ['server/places/places.ts', 'server/places/nearby.test.ts', 'journeys/wholeOrder.test.ts'],
    sentences: [
      'Choose a Scrub near you and a load size.',
      'A Duber takes your bag to your Scrub.',
      'Someone near you washes it, and a driver carries it both ways.',
      'Get laundry done by professional providers, picked up and brought back to your door.',
      'Laundry, done and back at your door.',
      'The Bud and the Scrub agree on the laundry, and a Duber delivers it.',
      'We connect people who need laundry done (Buds), people who do it (Scrubs) and people who deliver it (Dubers).',
      'We pass on orders and payments.',
    ],
  },
  { keptBy: ['journeys/presses.test.ts'], sentences: ['Order in two minutes.'] },
  // Workers.
  {
    keptBy: ['server/payments/payouts/payouts.ts', 'server/payments/payouts/payouts.test.ts'],
    sentences: [
      'Providers and drivers are paid weekly, minus platform fees.',
      'We pay out weekly.',
      'Scrubs earn when an order is completed, and Dubers when a delivery is delivered.',
      'Dubers are paid per completed delivery.',
    ],
  },
  {
    keptBy: ['domain/process/order.ts', 'server/places/nearby.test.ts', 'journeys/accounts.test.ts'],
    sentences: [
      'Scrubs set their own schedule and can accept or reject orders: nobody gives them hours.',
      'They can turn Visibility off whenever they need a break.',
      'Then nobody new finds them.',
      'Offer laundry services and earn money on your own schedule.',
      'Deliver laundry and earn money with flexible hours.',
    ],
  },
  {
    keptBy: [
      'domain/process/admission.ts',
      'server/admissions/admissions.test.ts',
      'journeys/operatorAdmission.test.ts',
    ],
    sentences: ['Sign up as a Duber and complete profile verification.'],
  },
  // When something goes wrong.
  {
    keptBy: ['domain/process/case.ts', 'server/cases/cases.test.ts', 'journeys/problems.test.ts'],
    sentences: [
      'Report it in the app, on the page of the order or the delivery.',
      'What a Bud reports goes to the Scrub or the Duber first in most cases, and to us where they do not agree.',
    ],
  },
  // What is stored.
  {
    keptBy: ['server/db/schema.sql', 'server/accounts/accounts.test.ts'],
    sentences: [
      'Your name, email address and role, and your phone number if you give one.',
      'Your addresses and where they are on the map.',
      'Your password, only as a hash that cannot be reversed.',
    ],
  },
  {
    keptBy: ['server/payments/saved/savedCards.test.ts', 'journeys/savedCards.test.ts'],
    sentences: [
      'If you save a card: its brand, its last four digits and when it expires, until you remove it in your profile.',
    ],
  },
  {
    keptBy: ['web/payments/tokenize.ts', 'web/payments/tokenize.test.ts', 'sandbox/square/webSdk.test.ts'],
    sentences: [
      'Your orders, deliveries, reviews and payments.',
      'We never see card numbers: the card provider keeps them.',
      'The card provider gets your card and the amount.',
    ],
  },
  {
    keptBy: [
      'server/auth/sealing.ts',
      'server/payments/payouts/payoutAccounts.test.ts',
      'server/payments/payouts/taxIds.test.ts',
    ],
    sentences: [
      'If you work as a Scrub or Duber and enter them: your bank account, and your tax number with the name on your tax return.',
      'Both are encrypted, and only the last digits are shown again.',
    ],
  },
  {
    keptBy: ['server/notifications/send.ts', 'server/notifications/send.test.ts'],
    sentences: [
      'The emails and push notifications we send you.',
      'For a device with push notifications, the address that its browser gave us, until you sign out there.',
    ],
  },
  {
    keptBy: ['server/accounts/sessionList.ts', 'server/accounts/signIn.test.ts', 'journeys/credentials.test.ts'],
    sentences: [
      'For each device that is signed in: its browser, the network it signed in from, when it signed in and when it was last used, until it is signed out.',
      'Your profile lists these devices.',
    ],
  },
  // Who sees what.
  {
    keptBy: [
      'server/visibility/viewRules.sql.ts',
      'server/visibility/visibility.test.ts',
      'promises/visibility.test.ts',
    ],
    sentences: [
      'A Scrub you order from sees your name, address, email and phone.',
      'If the order is cancelled or rejected, they only see your name and street.',
      'A Duber sees your name and the addresses and size of a waiting delivery within 50 km of their own address.',
      'They see your email and phone only once the delivery is theirs, and until 7 days after it was delivered.',
      'Some places are set up to be more careful.',
      'There, a Scrub or a Duber who has not accepted your order only sees your location to about 300 meters and your last name as an initial.',
      'Email, phone and exact locations are hidden from everyone else 7 days after the order.',
      'You see the name, email and phone of the Duber who carries your laundry.',
      'Nobody else.',
    ],
  },
  {
    keptBy: ['server/deliveries/positions.ts', 'server/deliveries/positions.test.ts', 'journeys/position.test.ts'],
    sentences: [
      'The Bud and the Scrub of a delivery see where its Duber is, only if the Duber agrees and only on the way.',
      'They see the latest location, rounded to about 11 meters.',
      'It is deleted an hour after the delivery, or as soon as the Duber turns it off.',
    ],
  },
  {
    keptBy: [
      'server/operator/exports.ts',
      'server/payments/payouts/bankFiles.test.ts',
      'journeys/operatorTaxes.test.ts',
    ],
    sentences: [
      'The people who run your town see your bank account and your tax number only in the files for the bank and for the tax office, after they have said why.',
      'The tax office gets your tax number with what you were paid.',
    ],
  },
  // Other services.
  {
    keptBy: ['server/http/headers.test.ts', 'journeys/safety.test.ts'],
    sentences: [
      'We show no ads and sell no data.',
      'The address search gets what you type into it.',
      'The map’s server gets the part of the map you look at, from your browser.',
      'Fonts, flags and the app itself come from our own server.',
    ],
  },
  {
    keptBy: ['server/places/streetRouter.ts', 'server/deliveries/deliveryRoute.test.ts'],
    sentences: ['The route service gets the places a way leads between, rounded to about 11 meters and without names.'],
  },
  {
    keptBy: ['server/outgoing/mailer.ts', 'server/outgoing/mailer.test.ts'],
    sentences: ['A mail server delivers our emails.'],
  },
  {
    keptBy: ['server/notifications/vapidKeys.ts', 'web/worker/push.test.ts', 'journeys/notifications.test.ts'],
    sentences: ['Your browser’s push service delivers our notifications, and cannot read them.'],
  },
  // In the browser.
  {
    keptBy: ['domain/accounts.ts', 'server/jobs/retention.test.ts', 'journeys/sessions.test.ts'],
    sentences: [
      'One cookie, auth-token, keeps you signed in.',
      'It stops working after 30 days without use, after 180 days, or when you log out.',
    ],
  },
  {
    keptBy: ['web/accounts/signUpDraft.ts', 'web/accounts/signUpDraft.test.ts', 'journeys/accounts.test.ts'],
    sentences: [
      'What you type while signing up or ordering stays in this tab until you finish, except for passwords and cards.',
    ],
  },
  {
    keptBy: ['web/offline/offlineCache.ts', 'web/offline/offlineCache.test.ts', 'journeys/offline.test.ts'],
    sentences: [
      'The orders and deliveries you looked at stay in this browser for up to 3 days, so that you can open them offline.',
      'They are deleted when you sign out or your session ends.',
      'A step that a Duber takes offline is kept here until it is sent.',
    ],
  },
  {
    keptBy: ['web/storage/stores.ts', 'web/storage/stores.test.ts'],
    sentences: [
      'Some choices stay in this browser after you sign out: whether a Duber shares their location, the last delivery on which they declined that, and whether you have hidden the first steps.',
      'They are stored under your user number, and say nothing else about you.',
    ],
  },
  // What people may ask for.
  {
    keptBy: ['server/personal/exports.ts', 'server/personal/personalData.test.ts', 'journeys/personalData.test.ts'],
    sentences: [
      'Your profile gives you a copy of your data, as one file with your photos and receipts.',
      'It is made within minutes, stays there for 7 days, and you can have one a week.',
    ],
  },
  {
    keptBy: [
      'domain/process/erasure.ts',
      'domain/personal.ts',
      'server/personal/personalData.test.ts',
      'server/personal/personalMap.test.ts',
      'journeys/personalData.test.ts',
    ],
    sentences: [
      'In your profile you can also delete your account, once no order, delivery, problem or payment of yours is open.',
      'You are signed out everywhere, nobody finds you any more, and you can sign in again within 14 days to keep it.',
      'After that your name, email, phone, addresses, devices, bank account, photos, and everything you wrote are deleted.',
      'Past orders stay with their prices under “Former” and your role, and know their place to about a kilometer.',
      'Stars that you gave or got stay without words.',
      'Backups still have your data until they are replaced: if one is restored, your account is deleted again.',
      'The law wants us to keep payments, and the names, contacts and tax numbers that belong to receipts, for 10 years.',
      'They are encrypted, and an operator who reads them must say why.',
    ],
  },
  // What people do.
  {
    keptBy: 'people',
    sentences: [
      'Email us.',
      'A real person will reply.',
      'You can reach us at help@town.example.',
      'You can reach us at the people who run it.',
      'If you cannot sign in, write to help@town.example.',
      'If you cannot sign in, write to the people who run it.',
      'Fresh and folded.',
      'Each account belongs to one person.',
      'Keep your password to yourself.',
      'Use your real name, address and phone number.',
      'Someone will come to that door.',
      'Treat other people and their clothes with care.',
      'Keep reviews honest and about the work.',
      'Do not put anything dangerous or illegal in a laundry bag.',
      'The law of the place where we run this installation applies.',
      'Nothing here limits your rights as a consumer.',
    ],
  },
  {
    keptBy: 'specification',
    sentences: [
      'Join thousands of users who trust Rubadub for their laundry needs',
      'Rubadub is the complete laundry service platform connecting customers, service providers and delivery drivers.',
    ],
  },
  {
    keptBy: 'nothing',
    sentences: [
      'Quick answers to common questions.',
      'Yes.',
      'The answers that most people want first.',
      'Read all questions and answers',
      'Get Started - Create Account',
      'I Already Have an Account',
      'Get a chore off your mind',
      'Get your laundry done, wash for others, or deliver.',
      'Two minutes from now, laundry day is somebody else’s.',
      'What you can expect from us, and what we expect from you.',
      'What we store about you, who can see it, and for how long.',
      'Rubadub is open source.',
      'Rubadub is open-source software.',
      '“We” means the people who run this installation.',
      'Rubadub is available under the MIT license, as is and without warranty.',
      'Anyone may run their own.',
    ],
  },
];
