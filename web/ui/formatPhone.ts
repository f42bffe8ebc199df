import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** A phone number with its groups, such as '+1 202 555 0143'. One that no plan knows stays as it is. */
export const formatPhone = (phone: string): string => parsePhoneNumberFromString(phone)?.formatInternational() ?? phone;
