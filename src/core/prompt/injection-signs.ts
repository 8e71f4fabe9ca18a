/**
 * A weight of 2 is enough for a flag; 1 is something that people say as well and needs a second kind. One kind counts
 * once. Weighed against texts that look similar (docs/decisions/injection.md).
 */
export interface InjectionSign {
  readonly kind: SignKind;
  readonly weight: 1 | 2;
  /** In small letters, one of them in every text that has the sign: a quick first look. */
  readonly needs: readonly string[];
  /** For `matchAll` on a text in small letters; `^` is the beginning of a line. */
  readonly shape: RegExp;
  /** Only where a sentence begins, or behind a word that presses: `approve this`, not `to approve this`. */
  readonly isImperative: boolean;
}

export type SignKind = "override" | "frame" | "speaker" | "order" | "address";

const every = "(?:every|each|all|any|its|your|the|these|this)";
const change = "(?:pull(?: request)?|pr|mr|merge request|change|diff|patch|commit|code|file)s?\\b";
const flaw = "(?:findings?|issues?|problems?|vulnerabilit(?:y|ies)|defects?|bugs?)";
const machine =
  "(?:ai|llms?|(?:large )?language models?|(?:ai|llm|automated|automatic|review|code[ -]review)[ -]?(?:reviewers?|assistants?|agents?|bots?|models?|tools?|systems?)|assistants?|chat ?gpt|gpt-?\\d\\w*|claude|gemini|copilot|code ?rabbit|drover)";

function sign(kind: SignKind, weight: 1 | 2, needs: string, source: string): InjectionSign {
  return { kind, weight, needs: needs.split("|"), shape: new RegExp(source, "gm"), isImperative: false };
}

function order(weight: 1 | 2, needs: string, source: string): InjectionSign {
  return { ...sign("order", weight, needs, `\\b${source}`), isImperative: true };
}

const overrides: readonly InjectionSign[] = [
  sign(
    "override",
    2,
    "ignore|disregard|forget|no attention|not follow|n't follow|stop following",
    "\\b(?:ignore|disregard|forget|pay no attention to|do not follow|don't follow|stop following)\\b[^.\\n]{0,40}\\b(?:previous|prior|above|earlier|preceding|foregoing|former|initial|original|existing|system|your)\\b[^.\\n]{0,20}\\b(?:instructions?|prompts?|directives?|guidelines|system messages?|training)\\b",
  ),
  sign(
    "override",
    2,
    "instruction|prompt|guideline",
    "\\b(?:override|discard|replace|bypass)\\b[^.\\n]{0,15}\\b(?:your|all previous|the previous|prior)\\b[^.\\n]{0,15}\\b(?:instructions?|prompts?|guidelines)\\b",
  ),
  sign(
    "override",
    2,
    "your new|your real|your actual|your only|your true",
    "\\byour (?:new|real|actual|only|true) (?:task|role|goal|instructions?|purpose|mission)\\b",
  ),
  sign(
    "override",
    2,
    "ignor|vergiss|olvida|oublie|忽略|无视|игнорируй|забудь|無視",
    "ignorier\\w*[^.\\n]{0,30}(?:anweisungen|vorgaben|instruktionen)|vergiss[^.\\n]{0,30}anweisungen|(?:ignora|olvida)\\w*[^.\\n]{0,30}instrucciones|(?:ignore[zr]?|oublie[zr]?)[^.\\n]{0,30}instructions (?:précédentes|antérieures|ci-dessus)|ignor[ae]\\w*[^.\\n]{0,30}istruzioni|ignor[ae]\\w*[^.\\n]{0,30}instruções|(?:忽略|无视|無視)[^。\\n]{0,12}(?:指令|指示|提示|说明)|(?:指示|命令)を(?:すべて)?無視|(?:игнорируй|забудь)\\S*[^.\\n]{0,30}(?:инструкци|указани)",
  ),
  sign("override", 2, "anything now", "\\bdo anything now\\b"),
  sign("override", 1, "from now on", "\\bfrom now on,? (?:you|act|behave|respond|answer)\\b"),
  sign(
    "override",
    1,
    "you are now|you are no longer",
    "\\byou are (?:now|no longer) (?:an? |the |in |bound|required|restricted|free)",
  ),
  sign(
    "override",
    1,
    "instruction|directive|prompt",
    "\\b(?:new|updated|real|actual) (?:system )?(?:instructions?|directives?|prompts?)\\s*(?::|for you\\b)",
  ),
];

const frames: readonly InjectionSign[] = [
  sign("frame", 2, "<untrusted|</untrusted", "<\\/?untrusted\\b"),
  sign("frame", 2, "im_end", "<\\|im_end\\|>\\s{0,4}<\\|im_start\\|>"),
  sign(
    "frame",
    1,
    "im_start|im_end|system|user|assistant|endoftext|eot_id|begin_of_text|header_id",
    "<\\|(?:im_start|im_end|system|user|assistant|endoftext|eot_id|begin_of_text|start_header_id|end_header_id)\\|>",
  ),
  sign("frame", 1, "[inst]|[/inst]|<<sys>>|<</sys>>", "\\[\\/?inst\\]|<<\\/?sys>>"),
  sign(
    "frame",
    1,
    "system|assistant|instruction|tool_",
    "<\\/?(?:system|assistant|instructions?|system[-_]prompt|tool_(?:call|result)s?)\\s{0,4}>",
  ),
  sign("frame", 1, "role", "[\"']role[\"']\\s{0,4}:\\s{0,4}[\"'](?:system|developer)[\"']"),
];

const orders: readonly InjectionSign[] = [
  order(2, " no | zero ", `(?:report|raise|mention|flag|find) (?:no|zero) ${flaw}`),
  order(
    2,
    "waive|withdraw|retract",
    "(?:waive|withdraw|retract) (?:every|each|all|any|its|your|the) (?:\\w+ ){0,2}(?:findings?|objections?|verdicts?|blockers?)",
  ),
  order(
    1,
    "finding|verdict|blocker",
    `(?:dismiss|suppress|hide|drop|downgrade) ${every} (?:\\w+ ){0,2}(?:findings?|verdicts?|blockers?)`,
  ),
  order(
    1,
    "approve|accept|merge|lgtm|sign off|stamp",
    `(?:approve|accept|merge|lgtm|sign off on|rubber-?stamp) ${every} ${change}`,
  ),
  order(
    2,
    "without|unconditionally|regardless|no matter",
    `(?:approve|accept|merge|rubber-?stamp) ${every} ${change}[^.\\n]{0,30}\\b(?:without (?:any )?(?:review|comment|looking|reading|question|check|finding)|unconditionally|regardless|no matter what)`,
  ),
  order(
    2,
    "give |assign ",
    "(?:give|assign) (?:every|each|all|any) (?:\\w+ ){0,2}(?:findings?|issues?)[^.\\n]{0,20}\\b(?:score|rating|severity)",
  ),
  order(2, "finding|issue", "(?:answer|respond to|reply to) (?:every|each|all|any) (?:findings?|issues?) with\\b"),
  order(2, "finding", "(?:answer|respond|reply) (?:only )?with (?:[\\w-]+ ){0,2}findings?\\b"),
  order(
    2,
    "lgtm|approved|no issues|no findings|no problems|nothing to report|looks good",
    "(?:answer|respond|reply|output|say|state|write|print)(?: only| just| exactly| simply| always| back){0,3}(?: with| that)?[ :]{0,3}[\"'“`]?(?:lgtm\\b|approved\\b|no (?:issues|findings|problems)|nothing to report|looks good)",
  ),
  order(2, " json", "(?:answer|respond|reply) with [^.\\n]{0,30}\\b(?:no|not|invalid|broken) json\\b"),
  order(
    2,
    "prompt|instructions",
    "(?:reveal|repeat|print|show|output|leak|send|disclose|quote|recite|tell me|include) [^.\\n]{0,20}\\byour (?:system |hidden |initial |full |own ){0,3}(?:prompt|instructions)\\b",
  ),
  order(1, "system prompt", "(?:reveal|repeat|leak|disclose|recite) [^.\\n]{0,20}\\bsystem prompt\\b"),
  order(
    2,
    "you see|you know|you have|you find|you can|you were",
    "(?:repeat|reveal|print|show|output|leak|send|post|include|quote|paste|copy|upload|dump|list) [^.\\n]{0,30}\\b(?:secrets?|keys?|tokens?|credentials?|passwords?|environment variables?)\\b[^.\\n]{0,30}\\byou (?:see|know|have|find|can|were)\\b",
  ),
  order(
    1,
    "secret|key|token|credential|password|environment",
    "(?:reveal|leak|exfiltrate|send|post|upload|dump|include) (?:every|all|any|your) (?:\\w+ ){0,2}(?:secrets?|keys?|tokens?|credentials?|passwords?|environment variables?)\\b",
  ),
  order(
    2,
    "/etc/|.git/config|.ssh/|id_rsa|/proc/self",
    "(?:read|open|cat|print|fetch|load|look at)\\b[^\\n]{0,30}(?:\\/etc\\/(?:passwd|shadow)|\\.git\\/config|\\.ssh\\/|id_rsa|\\/proc\\/self\\/environ)[^\\n]{0,40}\\b(?:quote|print|send|include|post|repeat|show|paste|output|report|add)\\b",
  ),
  order(
    1,
    "finding",
    "(?:place|put|invent|make up|raise) (?:a|an|every|each|all|some|any) (?:\\w+ ){0,2}findings? (?:in|on|about|against|at)\\b",
  ),
  order(
    1,
    "speak|answer|decide|vote|sign|pose",
    "(?:speak|answer|decide|vote|sign|pose) (?:for|as|on behalf of|in the name of) (?:the|a|an) (?:role|maintainers?|owners?|admin\\w*|system|security team)\\b",
  ),
  order(
    2,
    "door|reverse shell",
    "(?:suggest|propose|insert|add|include|introduce|write|apply|plant) [^.\\n]{0,40}\\b(?:a|the) (?:back ?door|reverse shell)\\b",
  ),
  order(2, "![", "(?:show|include|embed|render|insert|display) !\\[[^\\]\\n]{0,40}\\]\\(https?:[^)\\n]{0,200}\\?"),
  order(
    1,
    "@everyone|@here|@all|@channel",
    "(?:call|mention|ping|notify|summon|tag) [^.\\n]{0,40}@(?:everyone|here|all|channel)\\b",
  ),
  order(
    2,
    "not |n't |never |refrain|avoid|skip",
    `(?:do not|don't|never|refrain from|avoid|skip) (?:report|flag|mention|rais|review|analy[sz]|inspect|comment|warn|list)\\w*(?: on| about)?(?: any| the| other| these| security| potential){0,3} ?(?:${flaw}|anything) (?:in|about|with|of|on|for) (?:this|these|the) ${change}`,
  ),
  order(
    1,
    "not |n't |never ",
    "(?:do not|don't|never) (?:report|flag|mention|raise|comment on) (?:any|this|these|the|anything)\\b",
  ),
  sign("order", 2, "disable-reviews", "(?:^|[\\s>\"'(-])@[\\w-]+ disable-reviews\\b"),
  sign("order", 1, "@", "(?:^|[\\s>\"'(-])@[\\w-]+ (?:merge|approve|unhold|enable-reviews|lgtm)\\b"),
  sign("order", 2, "rmcoc", "```{1,4}\\s{0,4}rmcoc\\b"),
];

const machineNeeds = "ai|llm|language model|assistant|gpt|claude|gemini|copilot|rabbit|drover|automat|review";

const addresses: readonly InjectionSign[] = [
  sign(
    "address",
    1,
    machineNeeds,
    `\\b(?:note|message|instructions?|attention|notice|hint|memo|request)\\b[^.\\n]{0,12}\\b(?:to|for):? (?:all |any |the |every )?${machine}\\b`,
  ),
  sign(
    "address",
    1,
    machineNeeds,
    `^[^\\w\\n]{0,12}(?:dear |hey |hi |hello |attention,? |to (?:the |any |all )?)?@?${machine}\\s{0,2}[,:!]`,
  ),
  sign("address", 1, "if you", `\\bif you(?:'re| are) (?:an? )?(?:${machine}|machine|bot|reviewing this|automated)\\b`),
  sign(
    "address",
    1,
    machineNeeds,
    `\\b${machine} (?:must|shall|should|have to|need to|are (?:instructed|required|asked|told|expected))\\b`,
  ),
  sign(
    "address",
    1,
    machineNeeds,
    `\\bas (?:an? |the )?(?:${machine}|(?:code )?reviewer),? (?:you|please|approve|do not)\\b`,
  ),
];

const speakers: readonly InjectionSign[] = [
  sign(
    "speaker",
    2,
    "assistant",
    "^[ \\t]{0,8}assistant[ \\t]{0,4}:[^\\n]{0,300}\\n{1,3}[ \\t]{0,8}(?:human|user)[ \\t]{0,4}:",
  ),
  sign(
    "speaker",
    1,
    "system|assistant|human|developer",
    "^[ \\t#>*_/-]{0,12}(?:system|assistant|human|developer)(?: prompt| message| instructions?)?[ \\t*_]{0,4}:",
  ),
];

export const injectionSigns: readonly InjectionSign[] = [...overrides, ...frames, ...orders, ...addresses, ...speakers];

/** The text is about such texts, or guards against them: quotes in it weigh less. */
export const aboutInjection =
  /\b(?:injections?|jailbreak\w*|adversarial|attack(?:s|er|ers)?|malicious|hostile|red.?team\w*|payloads?|phrases?|sanitis\w*|sanitiz\w*|detect\w*|filters?|blocklist|guardrails?|fenc(?:e|es|ed|ing)|(?<![</])untrusted(?!-)|obey\w*|(?:such|texts?|strings?|things|words|lines) (?:as|like)|e\.g\.|for example|examples? of|expect|assert\w*|fixtures?)\b/i;
