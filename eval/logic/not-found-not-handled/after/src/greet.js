/** `profiles` holds only those who have filled in the form. */
export function greet(accounts, profiles, id) {
  const account = accounts.get(id);
  if (account === undefined) return "Hello!";
  const profile = profiles.find((each) => each.accountId === id);
  return `Hello ${profile.nickname}!`;
}
