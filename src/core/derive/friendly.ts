/** Longer words of thanks may hold a wish. */
const friendlyCharactersMax = 200;

const phrases = [
  "lgtm",
  "(?:this |it |that |all )?looks? (?:very |really )?(?:good|great|fine)(?: to me| now)?",
  "(?:many |much )?thanks?(?: you)?(?: (?:so|very) much| a lot| again| all)?(?: for (?:this|that|it|fixing(?: it| this)?|the fix|the (?:quick )?change|the update))?",
  "thx|ty|cheers|kudos|congrats",
  "(?:very |really )?(?:nice|great|good|excellent|amazing|awesome|fantastic|perfect|lovely|cool)(?: work| job| one| stuff| catch| idea| point| change| fix)?",
  "well done|love it|love this|ship it|good to go|sounds good|makes sense|agreed|approved?|works for me",
  "no worries|no problem|np|ok(?:ay)?|yes|yep|yay|done|fixed",
  "[:;]-?[)dp]",
  "\\+1|:[a-z0-9_+-]{1,30}:|@[a-z0-9][a-z0-9-]{0,38}",
  "[\\p{Extended_Pictographic}\\p{Emoji_Component}\\u200d\\ufe0f]+",
] as const;

const phrase = new RegExp(`(?:${phrases.join("|")})(?![\\p{L}\\p{N}_])`, "uy");
/** No question mark: a question needs an answer. */
const between = /[\s.,;!…~()\-–—]*/uy;

/** A short list and no model: a model's reading must not decide whether code is pushed. */
export function isFriendly(text: string): boolean {
  const said = text.trim().toLowerCase();
  if (said === "" || said.length > friendlyCharactersMax) return false;
  let at = skip(said, 0);
  while (at < said.length) {
    phrase.lastIndex = at;
    const found = phrase.exec(said)?.[0] ?? "";
    if (found === "") return false;
    at = skip(said, at + found.length);
  }
  return true;
}

function skip(text: string, at: number): number {
  between.lastIndex = at;
  return at + (between.exec(text)?.[0].length ?? 0);
}
