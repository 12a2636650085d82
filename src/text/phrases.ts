/** Patterns of one language, in small letters: `~` is the edge of a word. */
interface Phrases {
  /** The answer refuses. */
  readonly refusal: string
  /** A sentence says that something is not known, or not in the texts. */
  readonly abstention: string
  /** How a sentence begins that greets, thanks, apologises or offers help, and states nothing. */
  readonly courtesy: string
}

const helping =
  "(?:help(?! but)|assist|provide|comply|fulfil|create|write|answer|do (?:that|this|so|it)|discuss|engage|share|support|generate|offer|participate|condone|continue|respond|produce|give (?:you|that|this|any|advice)|tell you)"

/** By ISO 639-1 code. */
const phrases: Readonly<Record<string, Phrases>> = {
  en: {
    refusal: `~(?:i|we)(?:'m| am|'re| are)? (?:(?:just|simply|really|also|currently|sorry|afraid|must|have to|regret that) ?(?:i |we )?){0,3}(?:can't|cannot|can not|won't|will not|could not|couldn't|unable to|not able to|not allowed to|not permitted to|not comfortable|(?:do not|don't) feel comfortable|decline)(?: to| with)?(?: (?:in good conscience|directly|fully|actually)){0,2} ?(?:${helping}|(?:helping|assisting|providing|writing|discussing|answering|sharing)|(?=[.!]|$))|~(?:unable|not able) to ${helping}|^as an ai~(?![^.!?]{0,160}~but~)[^.!?]{0,160}[.!?]?$|~against my (?:guidelines|policy|policies|programming)|~(?:i|we) must decline|^(?:i'm|i am|we're|we are)? ?sorry,? but (?:no~|that(?:'s| is) not)|~not something (?:i|we) can ${helping}`,
    abstention: "(?!)",
    courtesy:
      "(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|thanks?|thank you|you're welcome|we appreciate|i hope|i(?:'m| am) (?:sorry|glad|happy|here)|we(?:'re| are) (?:sorry|happy|glad|here)|i understand|sorry|apologies|please (?:let|feel|don't hesitate|do not hesitate)|let (?:me|us) know|feel free|happy to help|i(?:'d| would) be (?:happy|glad)|(?:best|kind|warm) (?:regards|wishes)|have a (?:nice|great|good|wonderful)|if you (?:have|need) (?:any|more|further)|sincerely|(?:nice|good) to (?:hear|meet)|(?:just )?reach out)~|(?:(?:that(?:'s| is) an? )?(?:good|great|excellent) question|no (?:problem|worries)|good luck|all the best|take care)~[^,;:，、：]{0,30}$|(?:sure|of course|certainly|great|absolutely)(?: thing)?[!.]*$",
  },
  de: {
    refusal:
      "~(?:(?:ich|wir) (?:\\p{L}{1,30} ){0,2}(?:kann|können|darf|dürfen|werde|werden|möchte)|(?:kann|können|darf|dürfen|werde|werden|möchte) (?:\\p{L}{1,30} ){0,2}(?:ich|wir))~[^.!?]{0,60}~(?:nicht|keine[nrms]?)~[^.!?]{0,60}~(?:helfen|weiterhelfen|beantworten|unterstützen|bereitstellen|geben|schreiben|erstellen|tun|machen|behilflich|entsprechen|nachkommen|diskutieren|liefern|anbieten|assistieren)~",
    abstention:
      "~(?:ich|wir) (?:weiß|wissen)(?: es| das)?(?: leider)? nicht~|~(?:kann|können) (?:ich|wir)?[^.]{0,30}nicht (?:sagen|beantworten|bestimmen)~|~keine (?:informationen?|angaben?)~|~nicht (?:erwähnt|angegeben|genannt|beschrieben)~|~steht nicht (?:im|in)~",
    courtesy:
      "(?:hallo|hi|guten (?:tag|morgen|abend)|liebe[rs]?|sehr geehrte[rs]?|vielen dank|danke|herzlichen dank|bitte (?:melden|zögern|kontaktieren|lassen)|es tut (?:mir|uns)|tut (?:mir|uns) leid|wir bedauern|entschuldig\\p{L}*|mit freundlichen|(?:viele|beste|freundliche|liebe) grüße|ich hoffe|melden sie sich|zögern sie nicht|ich helfe|wir helfen|lassen sie|falls sie|wenn sie (?:noch|weitere)|moin|servus|grüß gott|schön,? dass|freut mich|(?:ich|wir) (?:verstehen?|entschuldigen?)|gerne? helfen?|bei (?:weiteren )?(?:fragen|rückfragen)|sagen sie (?:einfach |uns )?bescheid|(?:einen )?(?:schönen|guten|angenehmen) (?:tag|abend)|bis (?:bald|dann)|auf wiedersehen|hochachtungsvoll)~|(?:(?:das ist )?(?:eine )?(?:sehr )?gute frage|kein problem|viel (?:erfolg|glück|spaß)|alles gute)~[^,;:，、：]{0,30}$|[^.!?]{0,40}~(?:stehen wir|stehe ich|wir stehen|ich stehe|sind wir|bin ich|wir sind|ich bin)~[^.!?]{0,40}~(?:zur verfügung|für sie da)|[^.!?]{0,40}~melden sie sich~|(?:gerne?|natürlich|selbstverständlich|klar)[!.]*$",
  },
  fr: {
    refusal:
      "~(?:je|nous) (?:ne |n')(?:peux|pouvons|suis|sommes|puis|vais)~[^.!?]{0,40}(?:aider|assister|répondre|fournir|faire|écrire|créer|donner|traiter|discuter|satisfaire|accéder)",
    abstention:
      "~je ne sais pas~|~(?:ne|n')[^.]{0,30}(?:mentionn|précis|indiqu)\\p{L}*|~pas (?:mentionné|précisé|indiqué)|~aucune (?:information|mention)",
    courtesy:
      "(?:bonjour|bonsoir|salut|cher|chère|merci|je vous remercie|nous vous remercions|je suis (?:désolée?|ravie?|là)|nous sommes (?:désolés|ravis)|désolée?|toutes nos excuses|veuillez (?:nous|me) (?:contacter|faire)|n'hésitez pas|j'espère|cordialement|bien à vous|bonne (?:journée|soirée|chance|continuation)|si vous avez|(?:je|nous) (?:vous )?compren(?:ds|ons)|ravie?s? de|(?:je|nous) rest(?:e|ons) à|à (?:bientôt|votre service)|sincères salutations|bien cordialement|excusez|heureux de)~|(?:(?:c'est une )?(?:très )?bonne question|pas de (?:souci|problème))~[^,;:，、：]{0,30}$|(?:bien sûr|avec plaisir|volontiers|certainement)[!. ]*$",
  },
  es: {
    refusal:
      "~no (?:puedo|podemos|me es posible|estoy en condiciones de|voy a)~[^.!?]{0,40}(?:ayudar|asistir|proporcionar|responder|hacer|escribir|crear|dar|ofrecer|cumplir|participar|generar|discutir)",
    abstention: "~no (?:lo )?sé~|~no (?:se )?(?:menciona|indica|especifica|dice)|~no hay (?:información|datos)",
    courtesy:
      "[¡¿]?(?:hola|buenos días|buenas (?:tardes|noches)|estimad[oa]|gracias|muchas gracias|lo siento|lo sentimos|lamento|lamentamos|disculpe|espero|no dude|no dudes|saludos|atentamente|que tenga|si tiene|si necesita|estoy aquí|estamos|entiendo|entendemos|mucha suerte|un saludo|quedo a|quedamos a|hasta (?:pronto|luego)|perdón|perdone)~|(?:(?:es una )?(?:muy )?buena pregunta|no hay problema|sin problema)~[^,;:，、：]{0,30}$|[¡]?(?:claro|por supuesto|con gusto)[!. ]*$",
  },
  it: {
    refusal:
      "~non (?:posso|possiamo|sono in grado di|mi è possibile)~[^.!?]{0,40}(?:aiutar|assister|fornir|rispond|fare|farlo|scriver|crear|dare|offrir|soddisfar|discuter)",
    abstention:
      "~non (?:lo )?so~|~non (?:viene |è )?(?:menzionat|specificat|indicat)|~(?:nessuna informazione|non ci sono informazioni)",
    courtesy:
      "(?:ciao|salve|buongiorno|buonasera|gentile|grazie|mi dispiace|ci dispiace|siamo spiacenti|spero|non esiti|non esitare|cordiali saluti|distinti saluti|buona (?:giornata|serata|fortuna)|se ha|se hai|capisco|comprendiamo|resto a|restiamo a|a presto|mi scusi|ci scusiamo|sono felice)~|(?:(?:è una )?(?:ottima|bella|buona) domanda|nessun problema)~[^,;:，、：]{0,30}$|(?:certo|certamente|volentieri)[!. ]*$",
  },
  pt: {
    refusal:
      "~não (?:posso|podemos|consigo|conseguimos|me é possível|sou capaz de|estou autorizad[oa] a)~[^.!?]{0,40}(?:ajudar|ajudá|auxiliar|fornecer|responder|fazer|escrever|criar|dar|oferecer|atender|gerar|discutir)",
    abstention: "~não sei~|~não (?:é|está|foi) (?:mencionad|especificad|indicad)|~não há informaç",
    courtesy:
      "(?:olá|oi|bom dia|boa (?:tarde|noite)|prezad[oa]|car[oa]|obrigad[oa]|muito obrigad[oa]|sinto muito|lamento|lamentamos|desculpe|espero|não hesite|atenciosamente|se tiver|se precisar|entendo|entendemos|boa sorte|fico à|ficamos à|até (?:logo|breve)|perdão|estou aqui|estamos aqui)~|(?:(?:é uma )?(?:boa|ótima|excelente) pergunta|sem problemas?)~[^,;:，、：]{0,30}$|(?:claro|com certeza|com prazer)[!. ]*$",
  },
  nl: {
    refusal:
      "~(?:(?:ik|we|wij) (?:\\p{L}{1,30} ){0,2}(?:kan|kunnen|mag|mogen|wil|zal)|(?:kan|kunnen|mag|mogen|wil|zal) (?:\\p{L}{1,30} ){0,2}(?:ik|we|wij))~[^.!?]{0,60}~(?:niet|geen)~[^.!?]{0,60}~(?:helpen|beantwoorden|geven|doen|schrijven|maken|bieden|voldoen|assisteren|leveren|bespreken)~",
    abstention: "~ik weet het niet~|~(?:wordt|staat|is) niet (?:vermeld|genoemd|aangegeven)|~geen informatie~",
    courtesy:
      "(?:hallo|hoi|goede(?:morgen|middag|navond)|beste|geachte|bedankt|dank (?:u|je)|het spijt|sorry|onze excuses|ik hoop|aarzel niet|neem gerust|laat het|met vriendelijke|vriendelijke groet|fijne (?:dag|avond)|als u|als je nog|ik begrijp|wij begrijpen|veel succes|tot (?:ziens|snel)|ik help|we helpen|fijn dat|neem (?:gerust )?contact)~|(?:(?:dat is een )?goede vraag|geen probleem)~[^,;:，、：]{0,30}$|(?:natuurlijk|zeker|graag)[!. ]*$",
  },
  zh: {
    refusal:
      "(?:我|抱歉|对不起|對不起|很遗憾|很遺憾)[^。！？]{0,20}(?:无法|不能|無法|不便|不会|拒绝|拒絕)[^。！？]{0,15}(?:帮|协助|提供|回答|满足|完成|讨论|生成|处理|幫|協助|滿足|參與|参与|继续|撰写|创作|支持|回應|回应)",
    abstention: "我不(?:知道|清楚|确定)|(?:没有|未|並未|并未)(?:提到|提及|说明)|无法(?:确定|得知)|不得而知",
    courtesy:
      "(?:您好|你好|谢谢|感谢|感謝|謝謝|抱歉|对不起|對不起|很高兴|很高興|如有|如果您|请随时|請隨時|祝[您你]|希望|(?:非常|十分|很|真)?抱歉|(?:好的|当然|當然|可以|没问题|沒問題|[,，]){1,4}[!！。.]*$|(?:这|這)?(?:真)?是(?:个|個)?(?:很)?好(?:的)?(?:问题|問題)[!！。.]*$|(?:欢迎|歡迎)(?:随时|隨時)?(?:咨询|諮詢|联系|聯繫|来电)|很(?:乐|樂)意|此致|敬(?:礼|禮|上)|(?:不客气|不客氣)|再见|再見|理解您)",
  },
  ja: {
    refusal:
      "(?:お手伝い|お答え|回答|提供|対応|支援|協力|作成|お応え|ご案内|サポート)[^。]{0,12}(?:できません|できかねます|しかねます)|応じ(?:られません|ることはできません|かねます)|お断り(?:します|いたします|させて)",
    abstention: "(?:わか|分か)りません|不明です|(?:記載|言及)[^。]{0,6}(?:いません|ありません)",
    courtesy:
      "(?:こんにちは|ありがとう|お問い合わせ|申し訳|すみません|ご不便|お気軽|(?:どうぞ)?よろしく|何か(?:ご不明|ほか|あれば|ございましたら)|(?:少しでも)?お役に立|いつも(?:お世話|ご利用)|ご(?:連絡|質問|利用|購入|返信|注文)(?:いただき|を?いただき)?、?(?:誠に)?ありがとう|もちろん(?:です)?[!！。]*$|いつでも(?:ご連絡|お問い合わせ|お気軽|お声|ご相談)|ご迷惑|またの(?:ご利用|ご来店|お越し)|(?:とても)?(?:良|よ|い)い(?:ご)?質問[^、]{0,6}$|お世話に|承知(?:し|いた)|かしこまり|失礼(?:し|いた)|敬具|拝啓)",
  },
  ko: {
    refusal:
      "(?:도와\\s?드릴|도움을? ?드릴|답변(?:해|을)?\\s?드릴|제공(?:해\\s?드릴|할)|응할|답할|작성할|지원할|도울|도와줄)[^.]{0,6}수(?:가|는)?\\s?없",
    abstention: "모르겠|알 수 없|(?:언급|명시)되[^.]{0,6}않",
    courtesy:
      "(?:안녕하세요|감사합니다|죄송합니다|언제든지|도움이 (?:필요|되)|좋은 질문[^,]{0,8}$|물론(?:입니다|이죠)[.!]*$|천만에요|좋은 하루|문의해)",
  },
}

/** Languages in which a refusal can be read. */
export const refusalLanguages: readonly string[] = Object.keys(phrases)

const edge = "(?:(?<=[\\p{L}\\p{N}])(?![\\p{L}\\p{N}])|(?<![\\p{L}\\p{N}])(?=[\\p{L}\\p{N}]))"

function anyOf(kind: keyof Phrases, before = ""): RegExp {
  const patterns = Object.values(phrases).map((phrase) => `${before}(?:${phrase[kind].replaceAll("~", edge)})`)
  return new RegExp(patterns.join("|"), "u")
}

/** A refusal in any of the languages. The text is in small letters, with straight apostrophes. */
export const refusalPhrase: RegExp = anyOf("refusal")
/** An abstention in a language other than English. */
export const abstentionPhrase: RegExp = anyOf("abstention")
/** The beginning of a sentence that only greets, thanks, apologises or offers help. */
export const courtesyPhrase: RegExp = anyOf("courtesy", "^")
