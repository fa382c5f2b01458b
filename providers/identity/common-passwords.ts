/** Compared exactly but for case: a long phrase that contains such a word is fine. */
const words = `password passwort passw0rd p@ssword p@ssw0rd pass qwerty qwertz azerty admin administrator root
welcome login letmein iloveyou loveyou love monkey dragon master sunshine princess football baseball soccer
hockey basketball superman batman spiderman pokemon starwars matrix trustno1 whatever freedom shadow michael
jordan jennifer jessica daniel ashley nicole andrew thomas robert charlie matthew anthony joshua hunter ranger
buster tigger ginger pepper cookie cheese summer winter spring autumn flower hello hello1 killer secret access
mustang harley porsche ferrari mercedes corvette camaro yamaha maggie bailey chelsea arsenal liverpool barcelona
yankees lakers eagles cowboys steelers computer internet samsung google apple windows microsoft facebook linkedin
test tester testing guest user default changeme changeit temp temporary public private server oracle system
money dollar business lovely angel angels babygirl purple orange yellow silver golden diamond chocolate banana
butterfly rainbow unicorn phoenix thunder lightning blink182 slipknot metallica nirvana zxcvbnm asdfgh asdfghjkl
qazwsx qwerty12 1q2w3e 1q2w3e4r 1q2w3e4r5t q1w2e3r4 zaq12wsx zaq1zaq1 1qaz2wsx qwer1234 asdf1234 abcd1234 abc123
abc1234 abc12345 a123456 a12345 aa123456 aa12345678 a1b2c3 a1b2c3d4 123abc 123qwe 123qweasd 1234qwer qwe123
asd123 zxc123 147258369 159357 159753 741852963 789456123 987654 7654321 87654321 987654321 9876543210 11223344
112233 121212 123123 123321 1231234 12341234 123654 131313 232323 212121 696969 101010 142536 147852 258456
samantha alexander elizabeth victoria stephanie jonathan benjamin nicholas william patrick richard charles george
iloveu iloveyou2 playboy cocacola pepsi starbucks nothing
stator tools electric drill makita bosch dewalt`.split(/\s+/);

const commonWords = words.slice(0, 60);
const endings = ["1", "12", "123", "1234", "12345", "123456", "!", "1!", "123!", "2024", "2025", "2026"];
const rows = ["1234567890", "0987654321", "qwertyuiop", "qwertzuiop", "azertyuiop", "asdfghjkl", "zxcvbnm"];

const common: ReadonlySet<string> = new Set([
  ...words,
  ...commonWords.flatMap((word) => endings.map((ending) => word + ending)),
  ...rows.flatMap(runsOf),
  ..."0123456789abcdefghijklmnopqrstuvwxyz".split("").flatMap((character) => repeats(character)),
  ...Array.from({ length: 80 }, (_, index) => `${1950 + index}${1950 + index}`),
]);

function runsOf(row: string): string[] {
  return Array.from({ length: Math.max(0, row.length - 5) }, (_, index) => row.slice(0, index + 6));
}

function repeats(character: string): string[] {
  return [6, 7, 8, 9, 10].map((length) => character.repeat(length));
}

export function isCommonPassword(password: string): boolean {
  return common.has(password.toLowerCase());
}
